/** The nodes of a document, each with what it may contain and the attributes it may have. */
export const DOC_NODES = {
  paragraph: { holds: 'inline', attrs: ['text_align'] },
  heading: { holds: 'inline', attrs: ['level', 'text_align'] },
  bullet_list: { holds: 'items', attrs: [] },
  ordered_list: { holds: 'items', attrs: ['order'] },
  list_item: { holds: 'blocks', attrs: [] },
  blockquote: { holds: 'blocks', attrs: [] },
  code_block: { holds: 'text', attrs: ['language'] },
  horizontal_rule: { holds: 'nothing', attrs: [] },
  hard_break: { holds: 'nothing', attrs: [] },
  image: { holds: 'nothing', attrs: ['file', 'url', 'alt', 'title', 'focus', 'source'] },
  table: { holds: 'rows', attrs: [] },
  table_row: { holds: 'cells', attrs: [] },
  table_cell: { holds: 'blocks', attrs: ['colspan', 'rowspan'] },
  table_header: { holds: 'blocks', attrs: ['colspan', 'rowspan'] },
  blok: { holds: 'nothing', attrs: ['body'] },
  foreign: { holds: 'nothing', attrs: ['value'] },
} as const satisfies Record<string, { readonly holds: Holds; readonly attrs: readonly string[] }>;

type Holds = 'inline' | 'blocks' | 'items' | 'rows' | 'cells' | 'text' | 'nothing';
export type DocNodeName = keyof typeof DOC_NODES;

const BLOCKS: readonly string[] = [
  'paragraph',
  'heading',
  'bullet_list',
  'ordered_list',
  'blockquote',
  'code_block',
  'horizontal_rule',
  'image',
  'table',
  'blok',
  'foreign',
];

/** What a node may contain, by what it is said to hold; the document itself holds blocks. */
export const DOC_CHILDREN: Readonly<Record<Holds, readonly string[]>> = {
  inline: ['text', 'hard_break', 'image', 'blok', 'foreign'],
  blocks: BLOCKS,
  items: ['list_item'],
  rows: ['table_row'],
  cells: ['table_cell', 'table_header'],
  text: ['text'],
  nothing: [],
};

/** The marks of a text, each with the attributes it may have. */
export const DOC_MARKS = {
  bold: [],
  italic: [],
  underline: [],
  strike: [],
  code: [],
  superscript: [],
  subscript: [],
  highlight: ['color'],
  text_style: ['color'],
  link: ['kind', 'ref', 'url', 'anchor', 'target', 'title'],
  anchor: ['id'],
} as const satisfies Record<string, readonly string[]>;
export type DocMarkName = keyof typeof DOC_MARKS;

export const TEXT_ALIGNMENTS = ['left', 'center', 'right', 'justify'] as const;
export const MOST_DOC_BYTES = 500 * 1024;
/** Levels of nodes below the document. */
export const DEEPEST_DOC = 24;

export const isDocNode = (name: unknown): name is DocNodeName => typeof name === 'string' && Object.hasOwn(DOC_NODES, name);
export const isDocMark = (name: unknown): name is DocMarkName => typeof name === 'string' && Object.hasOwn(DOC_MARKS, name);
