"""``ginkgo table``: games in the browser.

Every request takes the same path: a route (``server``) validates the request (``request_data``) and calls the table
(``manager``, ``table``), whose result is the answer. ``middleware`` checks every request first, and adds headers to every
answer. ``page`` holds the files of the pages.
"""
