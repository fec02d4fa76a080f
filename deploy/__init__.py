"""What takes the server from a checkout to machines: releases, images, and checks of both."""
