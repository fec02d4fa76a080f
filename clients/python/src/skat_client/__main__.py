"""`python -m skat_client`."""

import sys

from skat_client._cli import main

if __name__ == "__main__":
    sys.exit(main())
