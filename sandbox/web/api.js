// Communication with the sandbox: requests of people, and the socket that delivers all events.

export class ApiError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function request(method, path, body) {
  const init = { method, headers: { accept: "application/json" } };
  if (body !== undefined) {
    init.headers["content-type"] = "application/json";
    init.body = JSON.stringify(body);
  }
  let answer;
  try {
    answer = await fetch(path, init);
  } catch {
    throw new ApiError(0, "The sandbox does not answer. Is it still running?");
  }
  // The sandbox was restarted and has a new key: the locked page explains what to do.
  if (answer.status === 401) location.reload();
  const text = await answer.text();
  const data = parse(text);
  if (!answer.ok) throw new ApiError(answer.status, reasonOf(data, answer.status));
  return data;
}

function parse(text) {
  if (!text) return null;
  try {
    return JSON.parse(text);
  } catch {
    return { message: text };
  }
}

function reasonOf(data, status) {
  return data?.message ?? data?.error ?? data?.reason ?? `The sandbox refused (${status}).`;
}

export const listPeople = () => request("GET", "/people");
export const moveClock = (seconds) => request("POST", "/control/clock", { advance: seconds });
export const addPerson = (name, locale) => request("POST", "/people", { name, locale });

/** The requests that a person can make. */
export function personApi(id) {
  const base = `/people/${encodeURIComponent(id)}`;
  const post = (verb) => (body) => request("POST", `${base}/${verb}`, body);
  return {
    messages(channel, { limit = 50, before } = {}) {
      const query = new URLSearchParams({ limit: String(limit) });
      if (before) query.set("before", before);
      return request("GET", `${base}/channels/${channel}/messages?${query}`);
    },
    notifications: () => request("GET", `${base}/notifications`),
    command: post("command"),
    autocomplete: post("autocomplete"),
    press: post("press"),
    select: post("select"),
    modal: post("modal"),
    message: post("message"),
    dismiss: post("dismiss"),
    typing: post("typing"),
    dm: () => post("dm")({}),
    dms: (open) => post("dms")({ open }),
  };
}

const MIN_BACKOFF_MS = 400;
const MAX_BACKOFF_MS = 8000;

/** The delay before attempt number `attempt` (from 0), in milliseconds. */
export function backoff(attempt, random = Math.random) {
  return Math.min(MAX_BACKOFF_MS, MIN_BACKOFF_MS * 2 ** attempt) * (0.75 + random() / 2);
}

/** A socket that reconnects automatically. `onEvent({t, d})`, `onState("open" | "lost")`. */
export class Socket {
  constructor(id, { onEvent, onState }) {
    this.id = id;
    this.onEvent = onEvent;
    this.onState = onState;
    this.attempt = 0;
    this.closed = false;
    this.timer = null;
    this.connect();
    window.addEventListener("online", () => this.reconnectNow());
    document.addEventListener("visibilitychange", () => document.hidden || this.reconnectNow());
  }

  connect() {
    this.timer = null;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const address = `${scheme}://${location.host}/people/${encodeURIComponent(this.id)}/socket`;
    this.socket = new WebSocket(address);
    this.socket.addEventListener("message", (event) => this.receive(event));
    this.socket.addEventListener("close", () => this.lost());
  }

  receive(event) {
    const data = JSON.parse(event.data);
    if (data.t === "HELLO") {
      this.attempt = 0;
      this.onState("open");
    }
    this.onEvent(data);
  }

  lost() {
    if (this.closed) return;
    this.onState("lost");
    this.timer = setTimeout(() => this.connect(), backoff(this.attempt));
    this.attempt += 1;
  }

  reconnectNow() {
    if (this.timer === null || this.closed) return;
    clearTimeout(this.timer);
    this.connect();
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    this.socket.close();
  }
}
