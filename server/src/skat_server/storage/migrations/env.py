"""How revisions are run: on the connection that the caller brings, in one transaction."""

from alembic import context
from sqlalchemy import Connection

from skat_server.storage.schema import metadata


def run(connection: Connection) -> None:
    """Bring one database from where it is to where it is asked to be."""
    # SQLite can change little of a table: batch mode makes it anew and copies.
    context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
    with context.begin_transaction():
        context.run_migrations()


# The name under which Alembic runs this file; who imports it runs nothing.
if __name__ == "env_py":
    run(context.config.attributes["connection"])
