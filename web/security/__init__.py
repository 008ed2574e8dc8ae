"""Authentication and permissions: tokens, PINs, limits, forms and host names.

Imports nothing else of web. Enter at `access.Access`.
"""
