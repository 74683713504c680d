import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { accessDenied, invalidFields, type FieldFault, Problem } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { StatusChanges } from '@atrium/media';
import type { Principal } from '@atrium/platform/access';
import { isEmail } from '../domain/guest-email';
import { ShareEvents } from '../infrastructure/share-events.rows';
import { ShareVerdictRows } from '../infrastructure/share-verdict.rows';
import type { ShareCall } from './share-call';
import { ShareFiles } from './share-files';
import { ShareGate } from './share-gate';
import type { ShareLink } from '../domain/share-link';
import type { VerdictWord } from '../domain/share-options';

export interface VerdictOrder {
  readonly verdict: VerdictWord;
  readonly comment?: string | null;
  readonly name?: string | null;
  readonly email?: string | null;
}

/** What visitors think of files, where a link asks them. */
@Injectable()
export class ShareVerdicts {
  constructor(
    private readonly db: Database,
    private readonly gate: ShareGate,
    private readonly files: ShareFiles,
    private readonly rows: ShareVerdictRows,
    private readonly events: ShareEvents,
    private readonly outbox: Outbox,
    private readonly statuses: StatusChanges,
  ) {}

  async recordVerdict(
    token: string,
    public_id: string,
    { verdict, comment = null, ...who }: VerdictOrder,
    call: ShareCall,
  ): Promise<{ readonly public_id: string; readonly verdict: VerdictWord; readonly approved: number; readonly rejected: number }> {
    const share = await this.gate.enterShare(token, call);
    const { link, visitor, access, member } = share;
    const { ask_approval, require_name, require_email } = link.options;
    if (!ask_approval) throw accessDenied('This link does not ask for approval.');
    const name = who.name ?? access?.name ?? null;
    const email = who.email ?? access?.email ?? null;
    const faults: FieldFault[] = [];
    if (require_name && !name) faults.push({ path: 'name', code: 'required', message: 'is required by this link' });
    if (require_email && !email) faults.push({ path: 'email', code: 'required', message: 'is required by this link' });
    if (email && !isEmail(email)) faults.push({ path: 'email', code: 'email', message: 'must be an e-mail address' });
    if (faults.length > 0) throw invalidFields(faults);
    return this.db.write(async () => {
      const { file_id } = await this.files.requireFile(share, public_id);
      await this.rows.putVerdict({ share_id: link.share_id, file_id, visitor: visitor.se_visitor, verdict, comment, name, email });
      await this.events.insertEvent(link.share_id, visitor, {
        se_type: 'verdict',
        se_file: file_id,
        se_name: name,
        se_email: email,
        se_details: { verdict },
      });
      this.outbox.emitEvent({ name: 'share.verdict', subject_id: link.share_id, payload: { file_id, verdict } });
      await this.followVerdict(member, link, file_id, verdict);
      return { public_id, verdict, ...(await this.rows.countVerdicts(link.share_id, file_id)) };
    });
  }

  /** Within a writing unit of work. */
  private async followVerdict(member: Principal, { options, share_name }: ShareLink, file_id: string, verdict: VerdictWord): Promise<void> {
    const status = verdict === 'approved' ? options.approved_status : options.rejected_status;
    if (status === null) return;
    try {
      await this.statuses.changeStatus(member, [file_id], status, `By a visitor of the link ${share_name}.`);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
    }
  }
}
