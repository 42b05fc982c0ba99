"""``ginkgo table``: games in the browser.

Every request takes the same way: a route (``server``) validates the request (``request_data``) and calls the session
(``manager``, ``session``), whose result is the answer. ``middleware`` checks every request before and every answer after that.
What pages and URLs call a table is a session here. ``page`` holds the files of the pages.
"""
