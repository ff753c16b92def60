# Bauta in a container: two stages, so that what builds it is not in what runs.

# `make pin` writes the digest of this image here, so that every build has the same base.
ARG BASE=python:3.13-slim-trixie

FROM ${BASE} AS build

ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
RUN python -m venv /opt/bauta
WORKDIR /src
COPY requirements requirements
# run: with SQLite; postgresql: with either.
ARG LOCK=run
RUN /opt/bauta/bin/pip install --require-hashes -r requirements/$LOCK.txt
COPY pyproject.toml README.md LICENSE ./
COPY bot bot
COPY engines engines
COPY renderers renderers
COPY sandbox sandbox
RUN /opt/bauta/bin/pip install --no-deps --no-build-isolation . \
    && /opt/bauta/bin/python -m compileall -q /opt/bauta/lib \
    && /opt/bauta/bin/pip uninstall --yes setuptools pip

FROM ${BASE}

# A user without a home, a shell or a right beyond its own folder; the number is fixed for volumes.
RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin bauta \
    && install --directory --owner=bauta --group=bauta --mode=0700 /var/lib/bauta
COPY --from=build /opt/bauta /opt/bauta

ENV PATH=/opt/bauta/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    BAUTA_DATABASE=/var/lib/bauta/bauta.db \
    BAUTA_CACHE=/var/lib/bauta/cache
USER bauta
WORKDIR /var/lib/bauta
VOLUME /var/lib/bauta
STOPSIGNAL SIGTERM
# It opens no port: the bot's pulse is a file, written after loop and database have answered.
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s --retries=3 CMD ["python", "-m", "bot.cli.health"]
ENTRYPOINT ["bauta"]
CMD ["serve"]
