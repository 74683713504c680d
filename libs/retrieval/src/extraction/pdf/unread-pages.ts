import type { TextLoss } from '../text/sign-counts';

/** How much of a page that is read in part is taken for lost: no one has seen the rest. */
const PART = 0.5;

/** The pages of which nothing, or only the beginning, was read. */
export class UnreadPages {
  private readonly damaged: number[] = [];
  private readonly cut: number[] = [];

  addDamaged(page: number): void {
    this.damaged.push(page);
  }

  addCut(page: number): void {
    this.cut.push(page);
  }

  /** What is lost of so many pages. */
  lossOf(count: number): TextLoss | undefined {
    const { damaged, cut } = this;
    if (damaged.length + cut.length === 0) return undefined;
    const share = (damaged.length + cut.length * PART) / count;
    const reasons = [
      damaged.length === 0 ? '' : `${named(damaged)} cannot be read; save the PDF again from its original document.`,
      cut.length === 0 ? '' : `${named(cut)} can be read only in part, because too much is drawn.`,
    ];
    return { share: Math.max(0.0001, Math.round(share * 10_000) / 10_000), reason: reasons.filter((reason) => reason !== '').join(' ') };
  }
}

const named = (pages: readonly number[]): string =>
  pages.length === 1 ? `Page ${pages[0]}` : `${pages.length} pages, page ${pages[0]} first,`;
