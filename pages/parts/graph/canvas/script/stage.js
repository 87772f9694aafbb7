// The place of a canvas on the page: as high as the window leaves, over all of it in full screen.
const LEAST = 340; // pixels of height
const LEAST_ON_PHONE = 0.62; // of the window: the details take the lower half of it
const PHONE = 560; // pixels of width up to which they do
const PHONE_BAR = 52; // pixels of the bar between chat and page
const OTHER = 0.25; // share of the height from which it is another
const BELOW = 14; // pixels between the canvas and the window's edge

class Stage {
  /** @param resized called with whether the page gave it another size. */
  constructor(canvas, resized) {
    this.canvas = canvas;
    this.resized = resized;
    this.seen = new ResizeObserver(() => this.measure());
    // What goes from above the canvas gives it room, and on a page that fits the window nothing else changes its size.
    this.others = new MutationObserver(() => this.measure());
    addEventListener('resize', () => this.measure());
    document.addEventListener('fullscreenchange', () => {
      if (!document.fullscreenElement) this.full(false);
    });
  }

  /** The element of the page that holds drawing and details. */
  get root() { return this.canvas.closest('[class*="st-key-graph_stage"]'); }

  get drawer() { return this.root?.querySelector('.graph-drawer, [class*="st-key-graph_drawer"]'); }

  get drawing() { return this.canvas.querySelector('.graph-drawing'); }

  get isFull() { return this.root?.hasAttribute('data-full') ?? false; }

  /** Watch the page that it has been put into. */
  watch() {
    if (this.watched && this.watched === this.root) {
      this.colour();
      return this.measure();
    }
    this.seen.disconnect();
    this.others.disconnect();
    this.forget();
    this.watched = this.root;
    if (!this.root) return;
    this.root.toggleAttribute('data-full', this.wasFull ?? false);
    this.colour();
    const page = this.root.closest('[data-testid="stMainBlockContainer"]');
    for (const one of [this.root, page, this.drawing]) if (one) this.seen.observe(one);
    if (page) this.others.observe(page, { childList: true, subtree: true });
    if (this.drawer) this.seen.observe(this.drawer);
    this.measure();
  }

  /** Hand the theme's colours on: only what a component draws itself has them. */
  colour() {
    const read = getComputedStyle(this.canvas);
    for (const [name, of] of [['paper', 'background-color'], ['ink', 'text-color'], ['border', 'border-color']])
      this.root?.style.setProperty('--graph-' + name, read.getPropertyValue('--st-' + of));
  }

  measure() {
    const { root } = this;
    if (!root?.isConnected || !root.clientWidth) return;
    const main = root.closest('[data-testid="stMain"]');
    const top = root.getBoundingClientRect().top + (main?.scrollTop ?? 0);
    const bar = document.documentElement.hasAttribute('data-chat-phone') ? PHONE_BAR : 0;
    const share = Number(getComputedStyle(root).getPropertyValue('--graph-share') || 1);
    const least = root.clientWidth <= PHONE ? Math.max(LEAST, innerHeight * LEAST_ON_PHONE) : LEAST;
    const high = this.isFull ? innerHeight : Math.max(least, (innerHeight - top - bar - BELOW) * share);
    const height = Math.round(high) + 'px';
    if (root.style.getPropertyValue('--graph-high') !== height)
      root.style.setProperty('--graph-high', height);
    // A line that comes or goes above it leaves it what it was: only a page of another shape is another place.
    const size = [root.clientWidth, high, this.isFull];
    const other = this.size !== undefined && (size[0] !== this.size[0] || size[2] !== this.size[2]
      || Math.abs(high - this.size[1]) > OTHER * this.size[1]);
    const over = this.covered();
    const shape = `${root.clientWidth} ${height} ${this.drawing.clientWidth} ${this.drawing.clientHeight} ${over.right} ${over.bottom}`;
    if (shape === this.shape) return;
    if (other || this.size === undefined) this.size = size;
    this.shape = shape;
    this.resized(other);
  }

  /** What was measured last did not come into use: the next measure counts, even where it is the same. */
  forget() { this.shape = undefined; }

  /** Pixels at the right and below that the details cover. */
  covered() {
    const over = this.drawer?.getBoundingClientRect();
    const own = this.canvas.getBoundingClientRect();
    if (!over || over.width < 2 || over.height < 2) return { right: 0, bottom: 0 };
    if (over.width > own.width * 0.8) return { right: 0, bottom: Math.max(0, own.bottom - over.top) };
    return { right: Math.max(0, own.right - over.left), bottom: 0 };
  }

  full(on) {
    if (on === this.isFull || !this.root) return;
    this.wasFull = on;
    this.root.toggleAttribute('data-full', on);
    document.documentElement.toggleAttribute('data-graph-full', on);
    if (on) document.documentElement.requestFullscreen?.().catch(() => {});
    else if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
    this.measure();
  }
}
