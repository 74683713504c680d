import { Injectable } from '@nestjs/common';
import {
  ApprovalFlows,
  type ApprovalFlow,
  type ApprovalFlowWish,
  type NewApprovalFlow,
  type VersionedApprovalFlowRow,
} from '@atrium/approvals';
import type { Principal } from '@atrium/platform/access';
import { Database, type Precondition } from '@atrium/platform/database';
import { invalidFields, type FieldFault } from '@atrium/platform/kernel';
import { SiteAccess } from '../../sites/application/site-access';
import { canonicalLocale } from '../../sites/domain/site-locales';

type Scope = ApprovalFlow['caf_scope'];
type StateMap = NonNullable<Parameters<ApprovalFlows['change']>[2]>;

/** What a client says of a change of a flow, and what becomes of removed states. */
export interface FlowRevision {
  readonly wish: ApprovalFlowWish;
  readonly state_map: StateMap;
}

/** Flows of content, as far as they are for sites: their scope names sites that the caller can see, and languages that exist. */
@Injectable()
export class PageFlows {
  constructor(
    private readonly db: Database,
    private readonly flows: ApprovalFlows,
    private readonly access: SiteAccess,
  ) {}

  create(caller: Principal, wish: NewApprovalFlow): Promise<VersionedApprovalFlowRow> {
    return this.db.write(async () => this.flows.create({ ...wish, ...(await this.checkedScope(caller, wish.caf_scope)) }));
  }

  /** What the flow names already is not asked after again. */
  change(
    caller: Principal,
    caf_id: string,
    { wish, state_map }: FlowRevision,
    precondition?: Precondition,
  ): Promise<VersionedApprovalFlowRow> {
    return this.db.write(async () => {
      const { caf_scope: before } = await this.flows.get(caf_id);
      return this.flows.change(caf_id, { ...wish, ...(await this.checkedScope(caller, wish.caf_scope, before)) }, state_map, precondition);
    });
  }

  private async checkedScope(caller: Principal, scope: Scope | undefined, before?: Scope): Promise<{ readonly caf_scope?: Scope }> {
    if (!scope) return {};
    const sites = scope.sites.map((id) => id.toLowerCase());
    const known = await this.access.findReadableNames(caller, sites);
    const locales = scope.locales.map((locale) => canonicalLocale(locale));
    const faults = [
      ...sites.flatMap((id, at) => (known.has(id) || before?.sites.includes(id) ? [] : [unknownSite(at)])),
      ...locales.flatMap((locale, at) => (locale === undefined ? [notALocale(at)] : [])),
    ];
    if (faults.length > 0) throw invalidFields(faults);
    return { caf_scope: { sites, locales: locales.flatMap((locale) => locale ?? []) } };
  }
}

const unknownSite = (at: number): FieldFault => ({
  path: `caf_scope.sites[${at}]`,
  code: 'reference',
  message: 'must be the id of a site of this workspace',
});

const notALocale = (at: number): FieldFault => ({
  path: `caf_scope.locales[${at}]`,
  code: 'locale',
  message: 'must be a language tag (BCP 47) such as en or pt-BR',
});
