import { Injectable } from '@nestjs/common';
import { ApprovalGate } from '@atrium/approvals';
import { ReleasableFiles, type ShownFile } from '@atrium/files';
import { ReleaseRules } from '@atrium/media';
import { Problem, type FieldFault } from '@atrium/platform/kernel';
import type { NodeIssue, PageDraft } from '../../nodes/domain/page-draft';
import { FILE_UNAVAILABLE } from '../../nodes/application/node-issues';
import { unreadyState, type Unready } from '../../nodes/application/unready-files';
import { NODE_SUBJECT } from '../../nodes/domain/node-subject';
import type { ReadyFiles } from './snapshots';

/** Entries of a refusal. */
const MOST_FAULTS = 50;

/** What has to be true of drafts before they go live: no errors, files that may be public, and approval where a flow asks for it. */
@Injectable()
export class PublishChecks {
  constructor(
    private readonly files: ReleasableFiles,
    private readonly rules: ReleaseRules,
    private readonly gate: ApprovalGate,
  ) {}

  /** Throws unless all of the drafts may go live; answers the files that they show, which stay as they are until the unit of work ends. */
  async assertReady(drafts: readonly PageDraft[]): Promise<ReadyFiles> {
    const shown = drafts.flatMap(({ references }) => references.filter(({ kind }) => kind === 'file').map(({ ref }) => ref));
    const files = await this.files.lockAllReleasable(shown);
    const refusals = await this.rules.findRefusals([...files.keys()], 'publish');
    const reasons = (ref: string): string | null => refusals.get(ref)?.reason ?? unreadyReason(files.get(ref));
    const faults = drafts.flatMap((draft) => {
      const at = drafts.length === 1 ? '' : `${draft.node_id}.${draft.locale}.`;
      return [...errorsOf(draft), ...fileIssues(draft, reasons)].map((issue) => faultOf(issue, at));
    });
    if (faults.length > 0) throw notReady(faults);
    await this.gate.demandApprovals(
      NODE_SUBJECT,
      drafts.map(({ node_id, locale, hash }) => ({ id: node_id, locale, hash })),
    );
    return files;
  }
}

const errorsOf = ({ issues }: PageDraft): NodeIssue[] =>
  issues.filter(({ severity, code }) => severity === 'error' && code !== FILE_UNAVAILABLE);

const fileIssues = ({ references, locale }: PageDraft, reasonOf: (ref: string) => string | null): NodeIssue[] =>
  references.flatMap(({ kind, ref }) => {
    const reason = kind === 'file' ? reasonOf(ref) : null;
    return reason === null ? [] : [{ code: FILE_UNAVAILABLE, severity: 'error' as const, locale, path: 'node_content', message: reason }];
  });

const SENTENCES: Readonly<Record<Unready, (name: string) => string>> = {
  deleted: () => 'A file that the page shows was deleted. Replace or remove it.',
  trashed: (name) => `The file ${name} is in the trash. Restore, replace or remove it.`,
  quarantined: (name) => `The file ${name} is in quarantine. Replace or remove it.`,
  processing: (name) => `The file ${name} is still being processed. Try again later.`,
};

function unreadyReason(file: ShownFile | undefined): string | null {
  const state = unreadyState(file);
  return state === null ? null : SENTENCES[state](file?.file_name ?? '');
}

const faultOf = ({ path, code, message }: NodeIssue, at: string): FieldFault => ({ path: `${at}${path}`, code, message });

const notReady = (faults: readonly FieldFault[]): Problem =>
  new Problem(
    'unprocessable_content',
    'The content is not ready to be published. Correct the errors listed in `errors`, then publish again.',
    {
      errors: faults.slice(0, MOST_FAULTS),
    },
  );
