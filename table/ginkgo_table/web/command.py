"""The command ``ginkgo table``. Heavy modules are imported when the command runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ginkgo_env.core.imports import extra


def table(
    host: Annotated[str, typer.Option(help="Address to listen at; 0.0.0.0 admits other machines.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 takes any free one.")] = 8765,
    browser: Annotated[
        bool | None, typer.Option("--open/--no-open", help="Open the browser.", show_default="if there is a desktop")
    ] = None,
    data: Annotated[
        Path | None, typer.Option(metavar="FILE", help="File that stores the tables.", show_default="in your user folder")
    ] = None,
    agent: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="A further agent to play with: a checkpoint (.npz), module:attribute, a name with options. Repeatable.",
            show_default=False,
        ),
    ] = None,
    pace: Annotated[float, typer.Option(min=0.0, max=3600.0, help="Seconds between decisions where only agents play.")] = 1.0,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="A further name by which browsers may call this server. Repeatable.", show_default=False
        ),
    ] = None,
    base_path: Annotated[
        str, typer.Option(metavar="PATH", help="Serve everything below this path, such as /ginkgo.", show_default=False)
    ] = "",
    proxy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ADDRESS",
            help="A proxy's IP address or network; its X-Forwarded-For and -Proto are believed. Repeatable.",
            show_default=False,
        ),
    ] = None,
    expire_unfinished: Annotated[
        float, typer.Option(min=0.0, metavar="DAYS", help="Remove unfinished tables that nobody used for so long; 0 keeps them.")
    ] = 30.0,
    expire_finished: Annotated[
        float, typer.Option(min=0.0, metavar="DAYS", help="Remove finished tables that nobody used for so long; 0 keeps them.")
    ] = 90.0,
    list_tables: Annotated[bool, typer.Option("--list", help="List the stored tables instead of serving them.")] = False,
    remove: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help="Remove a stored table, instead of serving. Repeatable.", show_default=False),
    ] = None,
    vacuum: Annotated[
        bool, typer.Option("--vacuum", help="Remove expired tables and give their space back, instead of serving.")
    ] = False,
) -> None:
    """Play in the browser: people and agents at one table, on this machine or in its network.

    Games are stored: after a restart every table continues where it was. Ctrl-C ends the server.
    """
    with extra("table"):
        from ginkgo_table.web.limits import Limits, ServerSettings
        from ginkgo_table.web.runner import serve
        from ginkgo_table.web.store import maintain
    if list_tables or remove or vacuum:
        maintain(data, list_tables, remove or [], (expire_unfinished, expire_finished) if vacuum else None)
        return
    limits = Limits(expire_unfinished=expire_unfinished, expire_finished=expire_finished)
    serve(ServerSettings(host, port, browser, data, agent or [], pace, allow_host or [], base_path, proxy or [], limits))
