"""What the results of an event say, with honest intervals. Only numbers come in and go out."""
