import { field } from '../objects/objects';

/** Texts that are stored where the reader of the test may not see them. */
export const SECRETS = {
  top: 'zqtopsensitive',
  hidden: 'zqtophidden',
  group: 'zqingroup',
  deep: 'zqdeepingroup',
  row: 'zqinlist',
  hiddenGroup: 'zqinhiddengroup',
  inner: 'zqinopengroup',
  innerHidden: 'zqhiddeninopengroup',
  cell: 'zqinopenlist',
  earlier: 'zqearlier',
  unread: 'zqunread',
} as const;
export const PAY = 9182736;
export const PLANTED: readonly string[] = [...Object.values(SECRETS), String(PAY)];

const asked = { filterable: true, searchable: true };
const text = (key: string, more: object = {}) => field(key, 'text', { ...asked, ...more });

/** A form with closed fields in every possible place. */
export const CLOSED_FIELDS = [
  text('name', { required: true }),
  text('top', { sensitive: true, unique: true }),
  text('hid', { hidden: true }),
  field('grp', 'group', {
    sensitive: true,
    fields: [text('code', { unique: true }), field('pay', 'number', asked), field('sub', 'group', { fields: [text('deep')] })],
  }),
  field('rows', 'list', { sensitive: true, fields: [text('row')] }),
  field('hgrp', 'group', { hidden: true, fields: [text('code')] }),
  field('open', 'group', {
    fields: [text('shown'), text('inner', { sensitive: true }), field('sub', 'group', { fields: [text('inner', { hidden: true })] })],
  }),
  field('lines', 'list', { fields: [text('shown'), text('cell', { sensitive: true })] }),
  text('note', { show_if: `content.top == "${SECRETS.top}"` }),
];
/** Paths that a reader may neither filter nor sort by. */
export const CLOSED_PATHS = [
  'top',
  'hid',
  'grp.code',
  'grp.pay',
  'grp.sub.deep',
  'rows.row',
  'hgrp.code',
  'open.inner',
  'open.sub.inner',
  'lines.cell',
];
export const CLOSED_FORM = { title: 'name', summary: ['top', 'grp', 'hid'], fields: CLOSED_FIELDS };

export const closedContent = (more: object = {}): Record<string, unknown> => ({
  name: 'Lamp',
  top: SECRETS.top,
  hid: SECRETS.hidden,
  grp: { code: SECRETS.group, pay: PAY, sub: { deep: SECRETS.deep } },
  rows: [{ row: SECRETS.row }],
  hgrp: { code: SECRETS.hiddenGroup },
  open: { shown: 'visible words', inner: SECRETS.inner, sub: { inner: SECRETS.innerHidden } },
  lines: [{ shown: 'visible line', cell: SECRETS.cell }],
  ...more,
});
