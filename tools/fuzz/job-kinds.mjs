// Every kind of job of the product: which cases of `CostlyJobs` have it run, or why its worker needs no measure.

/** Kinds that read files, pages, rows and texts of others, by the cases that make them run: the beginnings of their names. */
export const JUDGED = {
  'files.ingest': ['document', 'file of a base', 'file of the media library'],
  'files.zip': ['name · download'],
  'knowledge.crawl': ['crawl'],
  'knowledge.import': ['import of records'],
  'media.file-news': ['document'],
  'objects.import': ['import of objects'],
  'objects.sync': ['sync'],
  'retrieval.extract': ['document'],
  'retrieval.index': ['document'],
};

/** All others, by the reason why nothing that others wrote makes them hold the loop. */
export const NOT_JUDGED = Object.fromEntries(
  Object.entries({
    'reads and writes ids and counts, a bounded number of rows a step': [
      'ai.forget',
      'ai.holds-released',
      'ai.withdraw',
      'approvals.approvers',
      'approvals.states',
      'distribution.policy',
      'distribution.quarantined',
      'distribution.served',
      'distribution.windows',
      'files.discarded',
      'files.verify',
      'governance.holds-ended',
      'identity.access-lists',
      'identity.user-transfer',
      'identity.workspace-purge',
      'knowledge.discard',
      'knowledge.index',
      'knowledge.purge',
      'media.analyse-waiting',
      'media.credit-news',
      'media.crops',
      'media.duplicates',
      'media.embed-waiting',
      'media.smart-albums',
      'media.stock-ping',
      'media.tag-rules',
      'objects.detach',
      'retrieval.credit-news',
      'retrieval.discard-texts',
      'retrieval.purge',
      'retrieval.reindex',
      'retrieval.waiting',
      'website.cms-news',
      'website.expire',
      'social.accounts',
      'social.approval-news',
      'social.metrics',
      'social.reconcile',
      'social.refresh',
    ],
    'reads a few fields that requests wrote, each as long as a request may make it (ADR 48)': [
      'ai.index',
      'distribution.guest-file',
      'distribution.notify',
      'identity.key-expiry',
      'identity.mail',
      'media.embed',
      'media.keyword-tags',
      'media.tag-words',
      'social.publish',
    ],
    'follows rows that requests and imports wrote, some at a time, by the code of the requests that write them': [
      'files.bulk',
      'forms.adopt',
      'forms.migrate',
      'objects.adopt',
      'objects.states',
      'objects.terms',
      'website.settle',
      'website.migrate',
      'website.publish',
    ],
    'reads rows page by page, and writes them into a file as they come': [
      'governance.privacy',
      'governance.verify-audit',
      'knowledge.export',
    ],
    'hands pictures to bounded processes, and reads none itself': ['distribution.copy', 'files.watermark', 'media.cluster', 'media.faces'],
    'reads the answers of a CMS one by one, each measured before it is parsed, and compares page by page': [
      'website.sync',
      'website.sync-resume',
    ],
    'asks a model, whose questions and answers have bounds of their own': ['ai.run', 'ai.title', 'media.analysis'],
  }).flatMap(([why, kinds]) => kinds.map((kind) => [kind, why])),
);

/** The kinds that cases of such names make run. */
export const kindsOf = (names) =>
  Object.keys(JUDGED).filter((kind) => JUDGED[kind].some((beginning) => names.some((name) => name.startsWith(`${beginning} · `))));
