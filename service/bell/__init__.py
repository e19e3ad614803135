"""The bell: tells readers that a stream has grown. It carries versions, never truth: what it says is read again."""
