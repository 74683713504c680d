/** What a rule may name. Every AI crawler is a bot too. */
export const AGENT_KINDS = ['bot', 'ai-crawler'] as const;
export type AgentKind = (typeof AGENT_KINDS)[number];

/** The client, as far as its User-Agent identifies it. */
export type Agent = AgentKind | 'browser' | 'other';

/** Crawlers that collect for models or answer with them. */
const AI_CRAWLERS = [
  'gptbot',
  'oai-searchbot',
  'chatgpt-user',
  'claudebot',
  'claude-web',
  'claude-user',
  'claude-searchbot',
  'anthropic-ai',
  'google-extended',
  'google-cloudvertexbot',
  'googleother',
  'ccbot',
  'perplexitybot',
  'perplexity-user',
  'bytespider',
  'tiktokspider',
  'amazonbot',
  'applebot-extended',
  'meta-externalagent',
  'meta-externalfetcher',
  'facebookbot',
  'cohere-ai',
  'cohere-training',
  'mistralai-user',
  'diffbot',
  'imagesiftbot',
  'omgili',
  'omgilibot',
  'webzio-extended',
  'timpibot',
  'youbot',
  'ai2bot',
  'duckassistbot',
  'petalbot',
  'img2dataset',
  'kangaroo bot',
  'velenpublicwebcrawler',
  'iaskspider',
  'isscyberriskcrawler',
  'sidetrade',
  'friendlycrawler',
  'pangubot',
  'semrushbot-ocob',
  'deepseekbot',
  'xai-',
  'grokbot',
  'novaact',
  'wpbot',
];

/** Other programs that fetch pages by themselves, and previews of messengers. */
const BOTS = [
  'bot/',
  'bot;',
  'bot)',
  '-bot',
  'bot ',
  'crawler',
  'spider',
  'slurp',
  'googlebot',
  'bingbot',
  'bingpreview',
  'yandex',
  'baidu',
  'duckduckbot',
  'ahrefs',
  'semrush',
  'mj12bot',
  'dotbot',
  'archive.org_bot',
  'ia_archiver',
  'facebookexternalhit',
  'twitterbot',
  'linkedinbot',
  'slackbot',
  'slack-imgproxy',
  'discordbot',
  'telegrambot',
  'whatsapp',
  'skypeuripreview',
  'pinterest',
  'embedly',
  'vkshare',
  'mastodon',
  'bluesky',
  'lighthouse',
  'headlesschrome',
  'phantomjs',
  'pingdom',
  'uptimerobot',
  'statuscake',
  'monitor',
  'curl/',
  'wget/',
  'python-requests',
  'python-urllib',
  'aiohttp',
  'httpx',
  'go-http-client',
  'java/',
  'okhttp',
  'libwww-perl',
  'scrapy',
  'node-fetch',
  'undici',
  'axios/',
  'ruby',
  'guzzlehttp',
  'feedfetcher',
  'rss',
];

const BROWSER = /^(?:mozilla\/5\.0|opera\/)/;

// eslint-disable-next-line no-restricted-syntax -- made of the words above
const anyOf = (names: readonly string[]): RegExp => new RegExp(names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|'));
const AI_CRAWLER = anyOf(AI_CRAWLERS);
const BOT = anyOf(BOTS);

/** Reads a User-Agent header; one of the words above is returned as it is. */
export function agentOf(header: string | null | undefined): Agent {
  const text = header?.trim().toLowerCase() ?? '';
  if (text === 'browser' || text === 'bot' || text === 'ai-crawler' || text === 'other') return text;
  if (AI_CRAWLER.test(text)) return 'ai-crawler';
  if (BOT.test(text)) return 'bot';
  return BROWSER.test(text) ? 'browser' : 'other';
}
