"""Sessions of Spark: the user's, or one by its address; their errors in our words."""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from ..errors import InputError

# Of pyspark, classic or Connect, which have no class in common.
Session: TypeAlias = Any

Frame: TypeAlias = Any


@contextmanager
def connect(engine: str | Session) -> Iterator[Session]:
    """The user's session, or one by the address of a master or a Connect server, which is ended.

    Raises `InputError` where there is no Spark.
    """
    if not isinstance(engine, str):
        if not hasattr(engine, "sql") or not hasattr(engine, "table"):
            raise InputError(f"engine must be a SparkSession or its address, not {engine!r:.80}")
        yield engine
        return
    if not re.match(r"(local|spark://|yarn|k8s://|sc://)", engine):
        raise InputError(
            "engine must be a SparkSession or its address, such as spark://host:7077, sc://host "
            f"or local[*], not {engine!r}"
        )
    _require_answer(engine)
    with saying():
        session = _start_session(engine)
    try:
        yield session
    finally:
        session.stop()


def _start_session(engine: str) -> Session:
    import pyspark
    from pyspark.sql import SparkSession

    # there is one context, whichever thread started it; a client of Connect alone has none
    context = getattr(pyspark, "SparkContext", None)
    if SparkSession.getActiveSession() or (context and context._active_spark_context):
        raise InputError(
            "a Spark session is active, and an address would end it; pass the session as engine="
        )
    builder = SparkSession.builder.appName("sqlmetrics")
    if engine.startswith("sc://"):
        return builder.remote(engine).create()
    # we report failures ourselves, without Java's trace
    return builder.master(engine).config("spark.log.level", "OFF").getOrCreate()


_PORTS = {"sc": 15002, "spark": 7077}

_PROXIES = {"grpc_proxy", "https_proxy", "http_proxy"}  # through which Connect goes


def _require_answer(engine: str) -> None:
    """Raise `InputError` where nothing answers at an address, for which Spark would wait long."""
    scheme, _, rest = engine.partition("://")
    if scheme not in _PORTS or (scheme == "sc" and not _PROXIES.isdisjoint(os.environ)):
        return
    places, *_ = re.split("[/;]", rest)  # what follows may be a secret
    for place in places.split(","):
        with suppress(OSError, ValueError):
            found = urlsplit(f"//{place}")
            address = found.hostname, found.port or _PORTS[scheme]
            socket.create_connection(address, timeout=10).close()
            return
    raise InputError(f"no answer from {scheme}://{places}; check that it is running, and its port")


@contextmanager
def saying(prefix: str = "") -> Iterator[None]:
    """Turn Spark's errors into ours, without its traces."""
    try:
        yield
    except InputError:
        raise
    except Exception as error:
        if isinstance(error, ImportError):
            said = str(error).strip().partition("\n")[0]
            raise InputError(
                f"engine= needs Spark: pip install 'sqlmetrics[spark]' ({said})"
            ) from None
        if not type(error).__module__.startswith(("pyspark", "py4j")):
            raise
        text = str(error)
        if "[JAVA_GATEWAY_EXITED]" in text:
            raise InputError(
                f"{prefix}Spark did not start; it needs Java 17 or later: see JAVA_HOME"
            ) from None
        if raised := re.search(r"\[USER_RAISED_EXCEPTION\] (.*?)(?: SQLSTATE|;|\n|$)", text):
            raise InputError(prefix + raised[1]) from None
        said = text.strip().partition("\n")[0] or type(error).__name__
        raise InputError(f"{prefix}Spark: {said}") from None
