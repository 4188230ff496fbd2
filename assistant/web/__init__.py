"""The page at the table: what phones in the house see and send, and what keeps strangers out."""
