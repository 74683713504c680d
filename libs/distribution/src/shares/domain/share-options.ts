import { Choice, Flag, Nested, Ref, Text, type TextForm, TextList, Whole } from '@atrium/platform/database';
import { invalidFields, type FieldFault } from '@atrium/platform/kernel';

/** What a visitor may say of a file. */
export const VERDICTS = ['approved', 'rejected'] as const;
export type VerdictWord = (typeof VERDICTS)[number];

export const SHARE_SIZES = ['original', 'large', 'medium', 'small'] as const;
export type ShareSize = (typeof SHARE_SIZES)[number];

export const SHARE_LAYOUTS = ['grid', 'list', 'slideshow'] as const;
export const SHARE_NOTIFICATIONS = ['off', 'each', 'daily'] as const;
/** `program`, `script` and `macro` are taken by links that name them, and by no other. */
const FILE_KINDS = ['image', 'video', 'audio', 'document', 'font', 'archive', 'other', 'program', 'script', 'macro'] as const;

const FORMAT = /^[a-z0-9]{1,16}$/;
const LOCALE: TextForm = { pattern: /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, words: 'the code of a language, such as en or pt-BR' };

/** What is laid over the pictures a visitor sees: a text, or the picture of a file. */
export class ShareWatermark {
  @Text({ optional: true, min: 1, max: 80, about: 'Text repeated over the picture.', example: 'ACME, for review' }) text?: string | null;
  @Ref({ optional: true, about: 'Picture repeated over the picture, instead of text; a file that you may download.' }) file_id?:
    string | null;
}

/** How a link behaves, apart from what it leads to. */
export class ShareOptions {
  @Flag({
    about:
      'Whether visitors can download files. Otherwise they see only previews, never the original. Adding a watermark turns it off unless the same request sets it to true.',
  })
  allow_download!: boolean;
  @TextList({ max: 4, about: 'Sizes that visitors can download: `original`, `large`, `medium`, `small`.', example: ['original', 'large'] })
  sizes!: ShareSize[];
  @Flag({ about: 'Whether visitors can download all files in one archive.' }) allow_zip!: boolean;
  @Flag({ about: 'Whether metadata of pictures is shown (capture time, camera, lens). The location is never shown.' })
  show_metadata!: boolean;
  @Flag({ about: 'Whether file names are shown.' }) show_names!: boolean;
  @Nested(() => ShareWatermark, { optional: true, about: 'Watermark over pictures: `{text}` or `{file_id}`. Null: none.' })
  watermark!: ShareWatermark | null;
  @Whole({ optional: true, min: 1, max: 1_000_000_000, about: 'Number of views after which the link is exhausted.', example: 100 })
  max_views!: number | null;
  @Whole({
    optional: true,
    min: 1,
    max: 1_000_000_000,
    about: 'Number of downloads, including archives, after which the link is exhausted.',
    example: 10,
  })
  max_downloads!: number | null;
  @Text({ optional: true, max: 5_000, about: 'Terms that visitors must accept first.' }) terms!: string | null;
  @Text({ optional: true, max: 5_000, about: 'Message shown to visitors.' }) message!: string | null;
  @Text({ max: 35, form: LOCALE, about: 'Language of the page (BCP 47). English is used for languages without texts.', example: 'en' })
  locale!: string;
  @Choice(SHARE_LAYOUTS, { about: 'Layout of the page.' }) layout!: (typeof SHARE_LAYOUTS)[number];
  @Flag({ about: 'Whether visitors must give a name.' }) require_name!: boolean;
  @Flag({ about: 'Whether visitors must give an e-mail address.' }) require_email!: boolean;
  @TextList({
    max: 10,
    about:
      'Kinds of files that visitors can send: `image`, `video`, `audio`, `document`, `font`, `archive`, `other`, `program`, `script`, `macro`. Empty: all but the last three, which are refused unless they are named here or by their extension in `allowed_formats`.',
    example: ['image'],
  })
  allowed_kinds!: string[];
  @TextList({
    max: 50,
    about: 'Extensions of files that visitors can send, in lowercase without the dot. Empty: all.',
    example: ['jpg', 'jpeg'],
  })
  allowed_formats!: string[];
  @Flag({ about: 'Whether uploaded files are added to albums only after a member has accepted them.' }) moderate!: boolean;
  @Choice(SHARE_NOTIFICATIONS, { about: 'When you are notified by mail of uploads.' })
  notify!: (typeof SHARE_NOTIFICATIONS)[number];
  @Whole({
    min: 15,
    max: 3_600,
    about: 'Seconds without use after which a kiosk starts over for the next guest. Only for type `upload`.',
    example: 60,
  })
  kiosk_idle_seconds!: number;
  @Flag({ about: 'Whether the distribution baseline of the workspace applies to the link.' }) apply_restrictions!: boolean;
  @Flag({ about: 'Whether visitors can approve and reject files.' }) ask_approval!: boolean;
  @Text({ optional: true, max: 64, about: 'Status of a file after a visitor approves it. Null: not changed.' }) approved_status!:
    string | null;
  @Text({ optional: true, max: 64, about: 'Status of a file after a visitor rejects it. Null: not changed.' }) rejected_status!:
    string | null;
}

/** What holds where nothing was said. */
export const DEFAULT_OPTIONS: Readonly<ShareOptions> = {
  allow_download: true,
  sizes: [...SHARE_SIZES],
  allow_zip: true,
  show_metadata: false,
  show_names: true,
  watermark: null,
  max_views: null,
  max_downloads: null,
  terms: null,
  message: null,
  locale: 'en',
  layout: 'grid',
  require_name: false,
  require_email: false,
  allowed_kinds: [],
  allowed_formats: [],
  moderate: false,
  notify: 'off',
  kiosk_idle_seconds: 60,
  apply_restrictions: true,
  ask_approval: false,
  approved_status: null,
  rejected_status: null,
};

/** The options with changes laid over them; throws one entry a fault. */
export function mergedOptions(present: Readonly<ShareOptions>, changed: Partial<ShareOptions>): ShareOptions {
  const given = Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== undefined)) as Partial<ShareOptions>;
  // A creator who adds a watermark does not mean to deliver the unmarked originals, unless they say so.
  const isNewlyMarked = !present.watermark && Boolean(given.watermark);
  const options: ShareOptions = { ...present, ...(isNewlyMarked ? { allow_download: false } : {}), ...given };
  const faults = faultsOf(options, given);
  if (faults.length > 0) throw invalidFields(faults);
  return { ...options, watermark: markOf(options.watermark), terms: blankless(options.terms), message: blankless(options.message) };
}

export const DOWNLOADS = ['on', 'off', 'off_for_watermark'] as const;

/** Whether visitors may fetch files, and whether the watermark is why they may not. */
export const downloadsOf = ({ allow_download, watermark }: Readonly<ShareOptions>): (typeof DOWNLOADS)[number] => {
  if (allow_download) return 'on';
  return watermark ? 'off_for_watermark' : 'off';
};

/** Options as rows hold them: whatever was added to the product since has its default. */
export const storedOptions = (stored: Partial<ShareOptions>): ShareOptions => ({ ...DEFAULT_OPTIONS, ...stored });

function faultsOf(options: ShareOptions, { sizes, allowed_kinds, allowed_formats, watermark }: Partial<ShareOptions>): FieldFault[] {
  const faults: FieldFault[] = [];
  const fault = (path: string, code: string, message: string): void => void faults.push({ path: `share_options.${path}`, code, message });
  sizes?.forEach((size, at) => SHARE_SIZES.includes(size) || fault(`sizes[${at}]`, 'choice', `must be one of ${SHARE_SIZES.join(', ')}`));
  if (options.allow_download && options.sizes.length === 0) fault('sizes', 'too_few', 'must contain a size if visitors can download');
  allowed_kinds?.forEach(
    (kind, at) =>
      (FILE_KINDS as readonly string[]).includes(kind) ||
      fault(`allowed_kinds[${at}]`, 'choice', `must be one of ${FILE_KINDS.join(', ')}`),
  );
  allowed_formats?.forEach(
    (format, at) => FORMAT.test(format) || fault(`allowed_formats[${at}]`, 'pattern', 'must be an extension in lowercase, without the dot'),
  );
  if (watermark && !watermark.text === !watermark.file_id) fault('watermark', 'one_of', 'requires either text or file_id');
  return faults;
}

const markOf = (mark: ShareWatermark | null): ShareWatermark | null =>
  mark && (mark.text ? { text: mark.text } : { file_id: mark.file_id?.toLowerCase() ?? null });

const blankless = (text: string | null): string | null => (text?.trim() ? text : null);
