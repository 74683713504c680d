import { Injectable } from '@nestjs/common';
import {
  ApprovalRequests,
  type ApprovalRequestRow,
  type DecisionWish,
  type RequestQuery,
  type VersionedApprovalRequestRow,
} from '@atrium/approvals';
import type { Principal } from '@atrium/platform/access';
import { Database, type Page } from '@atrium/platform/database';
import { Problem, type JsonObject } from '@atrium/platform/kernel';
import type { VersionDiff } from '../../content/domain/version-diff';
import { PageVersions } from '../../nodes/application/page-versions';
import { VersionsService } from '../../nodes/application/versions.service';
import { NODE_SUBJECT } from '../../nodes/domain/node-subject';
import { NodeFactsRows } from '../../nodes/infrastructure/node-facts.rows';
import { NodeSubjectRows } from '../infrastructure/node-subjects.rows';

/** A request with what is to be approved, and how that differs from what is live. */
export type ApprovalDetail = VersionedApprovalRequestRow & {
  readonly content: JsonObject | null;
  readonly seo: JsonObject | null;
  readonly diff: VersionDiff | null;
};

type FrozenContent = Pick<ApprovalDetail, 'content' | 'seo' | 'diff'>;

const NOTHING: FrozenContent = { content: null, seo: null, diff: null };

/** Requests for approval of all types of content; those of pages show their frozen version, which is released when they close. */
@Injectable()
export class PageApprovals {
  constructor(
    private readonly db: Database,
    private readonly requests: ApprovalRequests,
    private readonly rows: NodeSubjectRows,
    private readonly facts: NodeFactsRows,
    private readonly contents: VersionsService,
    private readonly versions: PageVersions,
  ) {}

  list(caller: Principal, query: RequestQuery): Promise<Page<ApprovalRequestRow>> {
    return this.requests.list(caller, query);
  }

  get(caller: Principal, car_id: string): Promise<ApprovalDetail> {
    return this.db.read(async () => {
      const request = await this.requests.get(caller, car_id);
      return { ...request, ...(request.car_subject_type === NODE_SUBJECT ? await this.readFrozen(caller, request) : NOTHING) };
    });
  }

  decideRequest(caller: Principal, car_id: string, wish: DecisionWish): Promise<VersionedApprovalRequestRow> {
    return this.releasing(() => this.requests.decideRequest(caller, car_id, wish));
  }

  withdrawRequest(caller: Principal, car_id: string): Promise<VersionedApprovalRequestRow> {
    return this.releasing(() => this.requests.withdrawRequest(caller, car_id));
  }

  /** The version of a request that is closed may be removed like any other one. */
  private releasing(work: () => Promise<VersionedApprovalRequestRow>): Promise<VersionedApprovalRequestRow> {
    return this.db.write(
      async () => {
        const request = await work();
        if (request.car_subject_type === NODE_SUBJECT && request.car_status !== 'open')
          await this.versions.releaseVersionsOf([request.car_subject_id]);
        return request;
      },
      { mayBeLong: 'an approved page can go live with its decision' },
    );
  }

  /** Nothing of a version that was removed, which can happen once the request is closed, and of a locale that the site no longer has. */
  private async readFrozen(
    caller: Principal,
    { car_subject_id: node_id, car_locale, car_version: ver_id }: ApprovalRequestRow,
  ): Promise<FrozenContent> {
    const site_id = (await this.rows.findFacts([node_id])).get(node_id)?.node_site;
    if (site_id === undefined || car_locale === null) return NOTHING;
    const isLive = (await this.facts.findLiveVersion(node_id, car_locale)) !== null;
    try {
      const { ver_content, ver_seo, diff } = await this.contents.get(
        caller,
        { site_id, node_id, ver_id },
        { locale: car_locale, ...(isLive ? { against: 'published' } : {}) },
      );
      return { content: ver_content, seo: ver_seo, diff };
    } catch (error) {
      if (error instanceof Problem && (error.code === 'not_found' || error.code === 'validation_failed')) return NOTHING;
      throw error;
    }
  }
}
