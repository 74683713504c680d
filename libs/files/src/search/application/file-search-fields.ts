import { Injectable } from '@nestjs/common';
import { KnownMembers } from '@atrium/identity';
import { sql, type Sql } from '@atrium/platform/database';
import { normalized } from '@atrium/platform/kernel';
import type { SearchLeaf, SearchScope } from '../domain/search-query';
import { choiceValue, listOf, numberWithin, TEXT, USER, WHOLE, wordValue } from '../domain/search-values';
import { cameraField, colorField, locationField } from './capture-fields';
import {
  clockCondition,
  comparableOperands,
  EXISTS,
  filesBearing,
  flagField,
  hasTrigram,
  instantField,
  numberField,
  PATTERNS,
  textOf,
  unknownOperator,
  wordCondition,
} from './field-kinds';
import { EMBEDDED_FIELDS } from './embedded-fields';
import { METADATA_FAMILY } from './metadata-fields';
import type { SearchContext } from './search-context';
import { SearchFields, type SearchField } from './search-fields';

const BOTH: readonly SearchScope[] = ['media', 'docs'];
const MEDIA: readonly SearchScope[] = ['media'];

const NAME: SearchField = {
  name: 'file_name',
  scopes: BOTH,
  type: 'text, ignoring case',
  operators: {
    eq: { value: TEXT },
    ne: { value: TEXT },
    contains: { value: TEXT },
    not_contains: { value: TEXT },
    starts_with: { value: TEXT },
    ends_with: { value: TEXT },
    in: { value: listOf(TEXT) },
  },
  examples: {
    eq: 'harbour.jpg',
    ne: 'harbour.jpg',
    contains: 'harbour',
    not_contains: 'draft',
    starts_with: 'IMG_',
    ends_with: '.psd',
    in: ['harbour.jpg', 'pier.jpg'],
  },
  compileLeaf: (leaf) => {
    if (leaf.op === 'eq' || leaf.op === 'in') return equalNames(([leaf.value].flat() as string[]).map(inOnePiece));
    return sql`dotless(lower(r.file_name)) LIKE ${patternOf(leaf, inOnePiece)}`;
  },
  candidateQuery: (leaf, _, most) =>
    PATTERNS[leaf.op] && hasTrigram(textOf(leaf)) ? sql`SELECT files_like('name', ${patternOf(leaf, inOnePiece)}, ${most}::integer)` : null,
};

const SUMMARY: SearchField = {
  name: 'file_summary',
  scopes: BOTH,
  type: 'text, ignoring case',
  operators: { contains: { value: TEXT }, not_contains: { value: TEXT }, exists: EXISTS },
  examples: { contains: 'at dusk', not_contains: 'draft', exists: true },
  compileLeaf: (leaf) =>
    leaf.op === 'exists' ? sql`r.file_summary IS NOT NULL` : sql`dotless(lower(r.file_summary)) LIKE ${patternOf(leaf)}`,
  candidateQuery: (leaf, _, most) =>
    PATTERNS[leaf.op] && hasTrigram(textOf(leaf)) ? sql`SELECT files_like('summary', ${patternOf(leaf)}, ${most}::integer)` : null,
};

const MIME = wordValue('a MIME type, or its prefix', /^[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}(\/[A-Za-z0-9!#$&^_.+-]{0,127})?$/);

const TYPE: SearchField = {
  name: 'file_type',
  scopes: BOTH,
  type: 'MIME type',
  operators: { ...comparableOperands(MIME, ['in']), starts_with: { value: MIME } },
  examples: { eq: 'image/jpeg', ne: 'image/jpeg', in: ['image/png', 'image/webp'], starts_with: 'image/' },
  compileLeaf: (leaf) => {
    if (leaf.op !== 'starts_with') return equalTypes([leaf.value].flat() as string[]);
    return sql`starts_with(lower(r.file_type), lower(${leaf.value}::text))`;
  },
  candidateQuery: (leaf, { scope }, most) =>
    leaf.op === 'starts_with' && textOf(leaf).length <= 64
      ? filesBearing(sql`file_type_key`, scope, sql`starts_with(v, lower(${leaf.value}::text))`, most)
      : null,
};

const FORMAT = wordValue('an extension in lowercase, without the dot', /^[a-z0-9]{1,16}$/);
const STATE = wordValue('the key of a state', /^[^\p{Cc}\p{Cs}]{1,100}$/u);
const KINDS = choiceValue(['image', 'video', 'audio', 'document', 'font', 'archive', 'other']);
const ORIENTATIONS = choiceValue(['landscape', 'portrait', 'square', 'panorama']);
const SOURCES = choiceValue(['upload', 'stock', 'generated', 'share_link', 'import', 'integration']);

const wordField = (
  name: string,
  scopes: readonly SearchScope[],
  column: Sql,
  about: string,
  words: { readonly operators: SearchField['operators']; readonly examples: SearchField['examples'] },
): SearchField => ({
  name,
  scopes,
  type: about,
  ...words,
  compileLeaf: (leaf) => wordCondition(column, leaf),
});

const WORDS: readonly SearchField[] = [
  wordField('format', BOTH, sql`r.file_ext`, 'extension in lowercase, without the dot', {
    operators: comparableOperands(FORMAT),
    examples: { eq: 'jpg', ne: 'jpg', in: ['jpg', 'png'], not_in: ['tif', 'psd'] },
  }),
  wordField('kind', BOTH, sql`r.file_kind`, 'image, video, audio, document, font, archive or other', {
    operators: comparableOperands(KINDS),
    examples: { eq: 'image', ne: 'other', in: ['image', 'video'], not_in: ['archive', 'other'] },
  }),
  wordField('file_status', MEDIA, sql`r.file_status`, 'key of a state', {
    operators: comparableOperands(STATE),
    examples: { eq: 'approved', ne: 'archived', in: ['review', 'approved'], not_in: ['draft', 'archived'] },
  }),
  wordField('orientation', MEDIA, sql`r.file_orientation`, 'landscape, portrait, square or panorama', {
    operators: comparableOperands(ORIENTATIONS, ['in']),
    examples: { eq: 'portrait', ne: 'square', in: ['landscape', 'panorama'] },
  }),
  wordField('source', BOTH, sql`r.file_source`, 'upload, stock, generated, share_link, import or integration', {
    operators: comparableOperands(SOURCES, ['in']),
    examples: { eq: 'stock', ne: 'generated', in: ['import', 'integration'] },
  }),
];

const NUMBERS: readonly SearchField[] = [
  numberField({
    name: 'file_size',
    scopes: BOTH,
    column: sql`r.file_size`,
    as: sql`bigint`,
    value: WHOLE,
    about: 'bytes',
    examples: [1_048_576, 10_485_760],
  }),
  numberField({ name: 'width', scopes: MEDIA, column: sql`r.file_width`, about: 'pixels, upright', examples: [1920, 3840] }),
  numberField({ name: 'height', scopes: MEDIA, column: sql`r.file_height`, about: 'pixels, upright', examples: [1080, 2160] }),
  numberField({ name: 'megapixels', scopes: MEDIA, column: sql`r.file_megapixels`, about: 'millions of pixels', examples: [12, 48] }),
  numberField({ name: 'duration', scopes: MEDIA, column: sql`r.file_duration`, about: 'seconds', examples: [15, 60] }),
  numberField({
    name: 'rating',
    scopes: MEDIA,
    column: sql`r.file_rating`,
    value: numberWithin(-1, 5),
    about: 'rating embedded in the picture, 0 to 5; -1: rejected',
    examples: [3, 5],
  }),
  numberField({ name: 'iso', scopes: MEDIA, column: sql`r.file_iso`, about: 'sensitivity', examples: [100, 1_600] }),
  numberField({ name: 'exposure', scopes: MEDIA, column: sql`r.file_exposure`, about: 'seconds', examples: [0.01, 1] }),
  numberField({ name: 'aperture', scopes: MEDIA, column: sql`r.file_aperture`, about: 'f-number', examples: [1.8, 8] }),
  numberField({ name: 'focal_length', scopes: MEDIA, column: sql`r.file_focal_length`, about: 'millimeters', examples: [24, 200] }),
  numberField({ name: 'altitude', scopes: MEDIA, column: sql`r.file_altitude`, about: 'meters above sea level', examples: [500, 2_000] }),
  numberField({ name: 'pages', scopes: BOTH, column: sql`r.file_pages`, about: 'pages', examples: [1, 20] }),
];

const INSTANTS: readonly SearchField[] = [
  instantField({ name: 'file_created', scopes: BOTH, column: sql`r.file_created`, about: 'when the file was added' }),
  instantField({ name: 'file_updated', scopes: BOTH, column: sql`r.file_updated`, about: 'when the file was last changed' }),
  instantField({
    name: 'taken',
    scopes: MEDIA,
    column: sql`r.file_taken`,
    about:
      'capture time by the clock of the camera, otherwise the time the file was added (UTC); time zones of compared values are ignored',
    compare: clockCondition,
  }),
  instantField({
    name: 'rights_expires',
    scopes: MEDIA,
    column: sql`r.file_rights_expires`,
    about: 'date-time in `file_metadata.rights.expires`',
    optional: true,
  }),
];

const LIFECYCLES = choiceValue(['active', 'deprecated', 'all']);

/** Documents that were deprecated are found where a query asks for them. */
const LIFECYCLE: SearchField = {
  name: 'lifecycle',
  scopes: ['docs'],
  type: 'active, deprecated or all; default: active',
  operators: { eq: { value: LIFECYCLES } },
  examples: { eq: 'all' },
  compileLeaf: ({ value }) => {
    if (value === 'all') return sql`true`;
    return value === 'deprecated' ? sql`r.file_deprecated` : sql`NOT r.file_deprecated`;
  },
  unnamedCondition: ({ scope }) => (scope === 'docs' ? sql`NOT r.file_deprecated` : null),
};

const favorite = ({ reader }: SearchContext): Sql =>
  sql`EXISTS (SELECT FROM file_pref p WHERE p.tenant_id = r.tenant_id AND p.file_id = r.file_id AND p.user_id = ${reader.user_id}::uuid AND p.favorite)`;

const duplicate = (): Sql =>
  sql`r.file_size > 0 AND EXISTS (SELECT FROM file d WHERE d.tenant_id = r.tenant_id AND d.file_hash = r.file_hash AND d.repo_key = r.repo_key AND d.file_id <> r.file_id AND d.file_deleted IS NULL)`;

/** The leaves over the file row itself. */
@Injectable()
export class FileSearchFields {
  constructor(
    fields: SearchFields,
    private readonly members: KnownMembers,
  ) {
    fields.register(NAME, SUMMARY, TYPE, ...WORDS, ...NUMBERS, ...INSTANTS, LIFECYCLE, this.addedBy());
    fields.register(
      flagField('favorite', BOTH, 'whether the file is a favorite of the reader', favorite),
      flagField('duplicate', MEDIA, 'whether another file of the library has the same content', duplicate),
    );
    fields.register(colorField, cameraField, locationField, ...EMBEDDED_FIELDS);
    fields.registerFamily(METADATA_FAMILY);
  }

  private addedBy(): SearchField {
    const ids = ({ value }: SearchLeaf, context: SearchContext): string[] => [value ?? []].flat().map((user) => context.user(user));
    return {
      name: 'file_added_by',
      scopes: BOTH,
      type: 'user',
      operators: comparableOperands(USER),
      examples: { eq: { me: true }, ne: { me: true }, in: [{ me: true }], not_in: [{ me: true }] },
      references: { kind: 'user', namesIn: ids, findKnown: (user_ids) => this.members.findMemberIds(user_ids) },
      compileLeaf: (leaf, context) => sql`r.file_added_by = ANY(${ids(leaf, context)}::uuid[])`,
    };
  }
}

function patternOf(leaf: SearchLeaf, form: (text: string) => string = (text) => text): Sql {
  const pattern = PATTERNS[leaf.op];
  if (!pattern) throw unknownOperator(leaf.field, leaf.op);
  return pattern(form(textOf(leaf)));
}

/** Names of files are stored with letters and their marks in one piece. */
const inOnePiece = (text: string): string => normalized(text, 'NFC');

/** By the stored key first, which an index serves; a key is the beginning of a name. */
const equalNames = (names: readonly string[]): Sql =>
  sql`(r.file_name_key = ANY(ARRAY(SELECT lower(left(n, 64)) FROM unnest(${[...names]}::text[]) n)) AND lower(r.file_name) = ANY(ARRAY(SELECT lower(n) FROM unnest(${[...names]}::text[]) n)))`;

/** MIME types are ASCII: they are lowered here, so that the planner sees which types are meant. */
function equalTypes(types: readonly string[]): Sql {
  const lowered = types.map((type) => type.toLowerCase());
  return sql`(r.file_type_key = ANY(${lowered.map((type) => type.slice(0, 64))}::text[]) AND lower(r.file_type) = ANY(${lowered}::text[]))`;
}
