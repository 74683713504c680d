/** What a usage parameter counts, what one unit costs by default, and which contexts may write it. */
export interface UsageParam {
  readonly unit: 'token' | 'call' | 'image' | 'second' | 'page' | 'asset' | 'item' | 'step' | 'message' | 'GB';
  /** Credits per unit of the list price a new installation begins with; decimal text, because money is never a float. */
  readonly price: string;
  readonly writers: readonly Writer[];
  readonly about: string;
}

export type Writer =
  | 'ai'
  | 'documents'
  | 'knowledge'
  | 'media'
  | 'creative'
  | 'social'
  | 'website'
  | 'automation'
  | 'channels'
  | 'distribution'
  | 'files'
  | 'governance';

/**
 * The closed catalog of what is measured. A context adds a parameter by one line here and one row of list price in its
 * migration; names are never renamed or used again.
 */
export const USAGE_PARAMS = {
  'ai.input_tokens': { unit: 'token', price: '0.00002', writers: ['ai'], about: 'Tokens a model read, those from its cache left out.' },
  'ai.cached_tokens': { unit: 'token', price: '0.000005', writers: ['ai'], about: 'Tokens a model read from its cache.' },
  'ai.output_tokens': { unit: 'token', price: '0.00006', writers: ['ai'], about: 'Tokens a model wrote, its reasoning included.' },
  'ai.assist_tokens': { unit: 'token', price: '0.00004', writers: ['ai'], about: 'Tokens of short helps with text.' },
  'ai.lost_tokens': { unit: 'token', price: '0', writers: ['ai'], about: 'Tokens of attempts that were lost; shown, never billed.' },
  'ai.tool_calls': { unit: 'call', price: '0', writers: ['ai'], about: 'Tools that agents called.' },
  'ai.embedding_tokens': {
    unit: 'token',
    price: '0.000002',
    writers: ['documents', 'knowledge', 'media', 'ai'],
    about: 'Tokens turned into embeddings for search.',
  },
  'media.analysis_images': { unit: 'image', price: '0.01', writers: ['media'], about: 'Images a model described.' },
  'media.face_images': { unit: 'image', price: '0.005', writers: ['media'], about: 'Images searched for faces.' },
  'media.transcription_seconds': { unit: 'second', price: '0.002', writers: ['media'], about: 'Seconds of speech turned into text.' },
  'media.stock_downloads': { unit: 'asset', price: '0.1', writers: ['media'], about: 'Assets imported from stock collections.' },
  render: { unit: 'page', price: '0', writers: ['creative'], about: 'Pages rendered.' },
  design_ai: { unit: 'token', price: '0.00004', writers: ['creative'], about: 'Tokens of models that work on designs.' },
  studio_image: { unit: 'image', price: '0.5', writers: ['creative'], about: 'Images made by models.' },
  studio_video: { unit: 'second', price: '1', writers: ['creative'], about: 'Seconds of video made by models.' },
  studio_copy: { unit: 'token', price: '0.00004', writers: ['creative'], about: 'Tokens of copy written by models.' },
  infographic_ai: { unit: 'token', price: '0.00004', writers: ['creative'], about: 'Tokens of models that work on infographics.' },
  presentation_ai: { unit: 'token', price: '0.00004', writers: ['creative'], about: 'Tokens of models that work on presentations.' },
  'documents.conversion_pages': { unit: 'page', price: '0', writers: ['documents'], about: 'Pages converted to text.' },
  'knowledge.crawl_pages': { unit: 'page', price: '0.001', writers: ['knowledge'], about: 'Pages fetched from the web.' },
  'social.posts': { unit: 'item', price: '0', writers: ['social'], about: 'Posts sent to social networks.' },
  'site.cms_pages': { unit: 'item', price: '0', writers: ['website'], about: 'Pages exchanged with a content management system.' },
  'workflow.steps': { unit: 'step', price: '0', writers: ['automation'], about: 'Steps that workflows ran.' },
  'voice.seconds': { unit: 'second', price: '0.01', writers: ['channels'], about: 'Seconds of telephone calls.' },
  'voice.input_tokens': { unit: 'token', price: '0.00002', writers: ['channels'], about: 'Text tokens a voice model read.' },
  'voice.output_tokens': { unit: 'token', price: '0.00006', writers: ['channels'], about: 'Text tokens a voice model wrote.' },
  'voice.audio_input_tokens': { unit: 'token', price: '0.0001', writers: ['channels'], about: 'Audio tokens a voice model heard.' },
  'voice.audio_output_tokens': { unit: 'token', price: '0.0002', writers: ['channels'], about: 'Audio tokens a voice model spoke.' },
  'channel.messages': { unit: 'message', price: '0', writers: ['channels'], about: 'Messages of chat widgets and other channels.' },
  'publication.egress_gb': {
    unit: 'GB',
    price: '0',
    writers: ['distribution'],
    about: 'Bytes delivered from publications, in units of 10^9.',
  },
  'files.egress_gb': { unit: 'GB', price: '0', writers: ['files'], about: 'Bytes of files delivered, in units of 10^9.' },
  'storage.gb_days': { unit: 'GB', price: '0.001', writers: ['governance'], about: 'Bytes stored for a day, in units of 10^9.' },
} as const satisfies Readonly<Record<string, UsageParam>>;

export type UsageParamName = keyof typeof USAGE_PARAMS;

export const USAGE_PARAM_NAMES = Object.keys(USAGE_PARAMS) as UsageParamName[];

export const isUsageParam = (name: string): name is UsageParamName => Object.hasOwn(USAGE_PARAMS, name);

/** The variant of a parameter: `<provider>/<model>`, `png@2x`, `pptx` …; few different values, never free text. */
export const USAGE_DETAILS = /^[A-Za-z0-9._:@/+-]{0,200}$/;
