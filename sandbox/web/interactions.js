// Pending interactions: clicks, choices and commands until the bot responds or fails to.

/** Longer than any response can take; then the window stops waiting. */
export const TIMEOUT_MS = 20000;
const MAX_ENDED = 100;

/** Tracks interactions by id. The end may arrive before the request that started one returns. */
export class Interactions {
  constructor({ timeoutMs = TIMEOUT_MS } = {}) {
    this.timeoutMs = timeoutMs;
    this.open = new Map();
    this.ended = new Map();
    this.own = new Set();
    this.asking = 0;
  }

  /** Run `request`, which resolves to {interaction_id}; `onEnd(reason | null)` is called exactly once. */
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

  /** End an interaction: with a response (`reason` null) or a failure. */
  end(id, reason) {
    const waiting = this.open.get(id);
    this.open.delete(id);
    this.ended.set(id, reason);
    if (this.ended.size > MAX_ENDED) this.ended.delete(this.ended.keys().next().value);
    if (!waiting) return;
    clearTimeout(waiting.timer);
    waiting.onEnd(reason);
  }

  /** Whether an interaction may be this window's: all windows of a person get its events. */
  expects(id) {
    return this.own.has(id) || this.asking > 0;
  }

  /** Handle an event of the socket. */
  apply({ t, d }) {
    if (t === "INTERACTION_DONE") this.end(d.interaction_id, null);
    if (t === "INTERACTION_FAILED") this.end(d.interaction_id, d.reason || "This interaction failed");
  }
}
