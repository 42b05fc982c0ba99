"""``ginkgo table``: tables in the browser.

``server`` answers requests, ``house`` keeps the tables, ``page`` holds what browsers get.
"""
