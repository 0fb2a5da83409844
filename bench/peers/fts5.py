"""SQLite's FTS5 with positions and without the texts: build, ask, update and reopen as `index-probe.ts` asks for it."""

import json
import os
import resource
import sqlite3
import sys
import time


def connect(folder):
    connection = sqlite3.connect(os.path.join(folder, "fts5.db"), isolation_level=None)
    connection.execute("pragma journal_mode=wal")
    connection.execute("pragma synchronous=normal")
    return connection


def pages(file):
    with open(file, encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def build(folder, file):
    started, before = time.perf_counter(), cpu_seconds()
    connection = connect(folder)
    connection.execute(
        "create virtual table page using fts5(title, text, content='', tokenize='porter unicode61')"
    )
    connection.execute("begin")
    for number, page in enumerate(pages(file)):
        connection.execute(
            "insert into page(rowid, title, text) values (?, ?, ?)", (number, page["title"], page["text"])
        )
    connection.execute("commit")
    connection.execute("pragma wal_checkpoint(truncate)")
    connection.close()
    return {
        "seconds": time.perf_counter() - started,
        "cpuSeconds": cpu_seconds() - before,
        "peakBytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        "version": sqlite3.sqlite_version,
    }


def match(words, way):
    quoted = ['"' + word + '"' for word in words]
    return '"' + " ".join(words) + '"' if way == "phrase" else (" OR " if way == "or" else " AND ").join(quoted)


def answer(connection, words, way):
    return connection.execute(
        "select rowid from page where page match ? order by rank limit 10", (match(words, way),)
    ).fetchall()


def ask(folder, file, _pages):
    with open(file, encoding="utf-8") as text:
        queries = json.load(text)
    connection = connect(folder)
    times = {}
    for _ in range(2):
        for way, asked in queries.items():
            times[way] = []
            for words in asked:
                started = time.perf_counter()
                answer(connection, words, way)
                times[way].append((time.perf_counter() - started) * 1000)
    return times


def update(folder, file, changes):
    with open(changes, encoding="utf-8") as text:
        wanted = json.load(text)
    connection = connect(folder)
    old = {number: page for number, page in enumerate(pages(file)) if number in set(wanted)}
    times = []
    for number in wanted:
        page = old[number]
        started = time.perf_counter()
        connection.execute("begin")
        connection.execute(
            "insert into page(page, rowid, title, text) values ('delete', ?, ?, ?)",
            (number, page["title"], page["text"]),
        )
        connection.execute(
            "insert into page(rowid, title, text) values (?, ?, ?)",
            (number, page["title"], page["text"] + " changed"),
        )
        connection.execute("commit")
        times.append((time.perf_counter() - started) * 1000)
    return {"times": times}


def reopen(folder, word):
    started = time.perf_counter()
    answer(connect(folder), [word], "or")
    return {"ms": (time.perf_counter() - started) * 1000}


print(json.dumps({"build": build, "ask": ask, "update": update, "reopen": reopen}[sys.argv[1]](*sys.argv[2:])))
