import type { XmlElement } from '@atrium/platform/tabular';
import type { SignCounts } from '../text/sign-counts';
import type { OdfStyles } from './odf-styles';

/** What decides what is shown of a part. */
export interface Setting {
  readonly styles: OdfStyles;
  /** Takes the words that are left out on purpose. */
  readonly words: Pick<SignCounts, 'leaveOut'>;
}

/** Elements that hold no text of the document: what was deleted, comments, templates of indexes, forms, and bytes. */
const NO_TEXT = new Set([
  'annotation',
  'annotation-end',
  'binary-data',
  'content-validations',
  'covered-table-cell',
  'date-time-decl',
  'event-listeners',
  'footer-decl',
  'forms',
  'header-decl',
  'note-citation',
  'number',
  'object-ole',
  'page-thumbnail',
  'script',
  'scripts',
  'tracked-changes',
  'alphabetical-index-source',
  'bibliography-source',
  'illustration-index-source',
  'object-index-source',
  'table-index-source',
  'table-of-content-source',
  'user-index-source',
]);

/** Whether an element and all that is in it is no text that a reader of the document sees. */
export function isLeftOut(element: XmlElement, { styles }: Pick<Setting, 'styles'>): boolean {
  const { name } = element;
  if (NO_TEXT.has(name)) return true;
  if (name === 'section') return element.attribute('display') === 'none' || element.attribute('is-hidden') === 'true';
  if (name === 'hidden-text') return element.attribute('is-hidden') === 'true';
  if (name === 'span') return styles.isHidden('text', element.attribute('style-name'));
  if (name === 'p' || name === 'h') return styles.isHidden('paragraph', element.attribute('style-name'));
  return false;
}
