// What was pressed, chosen or typed, until the bot has answered it or failed to.

/** Longer than any answer may take: after that the window stops waiting by itself. */
export const TIMEOUT_MS = 20000;
const MAX_ENDED = 100;

/** Follows interactions by their id. An end may arrive before the request that began it returns. */
export class Interactions {
  constructor({ timeoutMs = TIMEOUT_MS } = {}) {
    this.timeoutMs = timeoutMs;
    this.open = new Map();
    this.ended = new Map();
    this.own = new Set();
    this.asking = 0;
  }

  /** Run `request`, which answers {interaction_id}; `onEnd(reason | null)` is called exactly once. */
  async follow(request, onEnd) {
    let id;
    this.asking += 1;
    try {
      id = (await request()).interaction_id;
    } catch (error) {
      onEnd(error.message);
      return;
    } finally {
      this.asking -= 1;
    }
    this.own.add(id);
    if (this.ended.has(id)) {
      onEnd(this.ended.get(id));
      return;
    }
    const timer = setTimeout(() => this.end(id, "The application did not respond"), this.timeoutMs);
    this.open.set(id, { onEnd, timer });
  }

  /** The bot answered (reason null) or did not (why). */
  end(id, reason) {
    const waiting = this.open.get(id);
    this.open.delete(id);
    this.ended.set(id, reason);
    if (this.ended.size > MAX_ENDED) this.ended.delete(this.ended.keys().next().value);
    if (!waiting) return;
    clearTimeout(waiting.timer);
    waiting.onEnd(reason);
  }

  /** Whether an interaction may be this window's: a person's other windows hear of it too. */
  expects(id) {
    return this.own.has(id) || this.asking > 0;
  }

  /** Take in an event of the socket. */
  apply({ t, d }) {
    if (t === "INTERACTION_DONE") this.end(d.interaction_id, null);
    if (t === "INTERACTION_FAILED") this.end(d.interaction_id, d.reason || "This interaction failed");
  }
}
