const PERCENT = 20;
const LEAST = 5;

/** Whether deletions are held: more than a fifth of the linked pages, and at least five. A CMS that answers with nothing must not empty a site. */
export const brakeHolds = ({ deletions, links }: { readonly deletions: number; readonly links: number }): boolean =>
  deletions >= LEAST && deletions * 100 > links * PERCENT;
