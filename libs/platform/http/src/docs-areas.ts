/** One area of the API: the tag its operations bear, and a sentence for the reference. */
type AreaTexts = Readonly<Record<string, string>>;

/**
 * The areas of the product by group, in the order in which the reference shows them. The set is closed like the
 * permission catalog: a controller's `@ApiTags` names one of these.
 */
export const AREA_GROUPS: Readonly<Record<string, AreaTexts>> = {
  Core: {
    'Sign-in': 'Tokens for people: e-mail and password in, a short-lived access token and a rotating refresh token out.',
    Me: 'Who calls, with which roles and permissions, in which workspace.',
    Jobs: 'Background work that no other area shows.',
    Usage: 'What the workspace has consumed.',
  },
  'Media library': {
    Files: 'Every stored file and its record, whoever owns it: library, document, thread, design and so on.',
    Uploads: 'Bytes on their way in: open an upload, send the bytes to the signed addresses, finalize.',
    'Stock photos': 'Search in stock collections and import from them.',
    Downloads: 'Bytes on their way out: signed addresses, renditions, archives made at once or in the background.',
    'File versions': 'Earlier and current contents of a file.',
    Trash: 'Deleted files until they are purged: look, restore, purge.',
    'Saved searches': 'Filters with a name, for smart albums and folders.',
    'File analysis': 'What models say about a file.',
    'Media analysis schemas': 'What models are asked about files.',
    Faces: 'Faces found in pictures. Beta.',
    Duplicates: 'Files of the library that are copies of each other: found, merged into one, or said to be none.',
    Albums: 'Named selections of library files. Albums nest; deleting one leaves its files in the library.',
    People: 'Persons whose faces were recognised. Beta.',
    'Media tags': 'Tags on library files.',
    'Share links': 'Links that show files to guests, or collect files from them.',
    Publications: 'Public copies of files at permanent addresses.',
    'Distribution control': 'Rules for where published files may be used.',
  },
  AI: {
    Agents: 'Assistants with instructions, tools and knowledge.',
    Threads: 'Conversations with agents.',
    Messages: 'What was said in a thread.',
    Spaces: 'Shared rooms for threads.',
    Prompts: 'Reusable instructions.',
    'Prompt categories': 'Shelves for prompts.',
    Wildcards: 'Lists of words that prompts draw from.',
    Memories: 'What agents remember.',
    Assist: 'Short helps with text.',
  },
  Documents: {
    Documents: 'Files of the document library.',
    'Document folders': 'The tree in which documents lie.',
    'Document relations': 'Typed links between documents.',
  },
  Knowledge: {
    'Knowledge bases': 'Collections of records that agents search.',
    'Knowledge base records': 'Entries of a knowledge base.',
    'Knowledge base schemas': 'The form of such entries.',
    Objects: 'Records of kinds that the workspace defines. Beta.',
    'Object taxonomies': 'Trees of terms for objects. Beta.',
    'Object schemas': 'The kinds of objects. Beta.',
    'Object lifecycle flows': 'States that objects pass through. Beta.',
    'Object sources': 'Where objects are synchronised from. Beta.',
  },
  Creative: {
    Designs: 'Layered designs.',
    'Design categories': 'Shelves for designs.',
    Studio: 'Pictures and other media made by models.',
    Infographics: 'Data drawn as pictures.',
    Presentations: 'Slide decks. Beta.',
    'Presentation templates': 'Decks to start from. Beta.',
  },
  'Website and content': {
    'Website content': 'Pages of a site.',
    'Content schemas': 'The form of content entries.',
    'Content approval flows': 'Who approves content, in which order.',
    'CMS sync': 'Exchange with a content management system.',
    Social: 'Posts to social networks.',
  },
  Automation: {
    Workflows: 'Definitions of processes.',
    'Workflow instances': 'Processes that run.',
    Tasks: 'What people are asked to do. Beta.',
    'Scheduled jobs': 'Work by the clock.',
    Integrations: 'Connections to other systems.',
    Extensions: 'Third-party additions to the product. Beta.',
  },
  'Customer channels': {
    'Chat widgets': 'Agents on a web page.',
    'Voice agents': 'Agents on the telephone.',
  },
  Administration: {
    Users: 'Members of the workspace.',
    Roles: 'Named sets of permissions.',
    'API keys': 'Credentials for programs.',
    'Workspace settings': 'How the workspace is set up.',
    Audit: 'Who did what, when.',
    Storage: 'Where bytes are kept, and how many.',
    'Usage breakdown': 'What was consumed, by whom and for what.',
    'Media tag groups': 'Vocabularies of tags.',
    'Media status flows': 'States that library files pass through.',
    'Issued share links': 'All share links of the workspace.',
    'Social connections': 'Accounts at social networks.',
    'Social calendar': 'When posts go out.',
  },
};

const BETA: ReadonlySet<string> = new Set(
  Object.values(AREA_GROUPS).flatMap((areas) => Object.keys(areas).filter((area) => areas[area]?.endsWith(' Beta.'))),
);

/** Whether the operations of an area may still change: those whose sentence ends in "Beta." */
export const isBetaArea = (area: string): boolean => BETA.has(area);

export interface DocumentTags {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly groups: readonly { readonly name: string; readonly tags: readonly string[] }[];
}

/** The tags in use with their sentences, in the order of the catalog; those it does not know come last, without one. */
export function describeAreas(used: ReadonlySet<string>): DocumentTags {
  const groups = Object.entries(AREA_GROUPS)
    .map(([name, areas]) => ({ name, tags: Object.keys(areas).filter((area) => used.has(area)) }))
    .filter((group) => group.tags.length > 0);
  const texts = new Map(Object.values(AREA_GROUPS).flatMap((areas) => Object.entries(areas)));
  const known = groups.flatMap((group) => group.tags);
  const unknown = [...used].filter((area) => !texts.has(area));
  return { tags: [...known, ...unknown].map((name) => ({ name, description: texts.get(name) ?? '' })), groups };
}
