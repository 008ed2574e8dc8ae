"""Who is asking and what they may do: tokens, PINs, limits, forms and host names.

Imports nothing else of web. Enter at `access.Access`.
"""
