import { Injectable } from '@nestjs/common';
import {
  ApprovalFlows,
  type ApprovalFlow,
  type ApprovalFlowRow,
  type FlowRevision,
  type NewApprovalFlow,
  type VersionedApprovalFlowRow,
} from '@atrium/approvals';
import type { Principal } from '@atrium/platform/access';
import { Database, type ListParameters, type Page, type Precondition } from '@atrium/platform/database';
import { invalidFields, type FieldFault } from '@atrium/platform/kernel';
import { SiteAccess } from '../../sites/application/site-access';
import { canonicalLocale } from '../../sites/domain/site-locales';

type Scope = ApprovalFlow['caf_scope'];

/** A flow without the sites of its scope that the caller may not see, and whether there are any. */
type Shown<Row> = Row & { readonly covers_other_sites: boolean };

/**
 * Flows of content, as far as they are for sites: their scope names languages that exist, and sites that the caller can see. Others that
 * it covers are not shown to the caller, and stay in it when the caller changes it.
 */
@Injectable()
export class PageFlows {
  constructor(
    private readonly db: Database,
    private readonly flows: ApprovalFlows,
    private readonly access: SiteAccess,
  ) {}

  list(caller: Principal, query: ListParameters): Promise<Page<Shown<ApprovalFlowRow>>> {
    return this.db.read(async () => {
      const { data, ...page } = await this.flows.list(query);
      return { ...page, data: await this.shownTo(caller, data) };
    });
  }

  get(caller: Principal, caf_id: string): Promise<Shown<VersionedApprovalFlowRow>> {
    return this.db.read(async () => this.shownOne(caller, await this.flows.get(caf_id)));
  }

  create(caller: Principal, wish: NewApprovalFlow): Promise<Shown<VersionedApprovalFlowRow>> {
    return this.db.write(async () =>
      this.shownOne(caller, await this.flows.create({ ...wish, ...(await this.checkedScope(caller, wish.caf_scope)) })),
    );
  }

  activateFlow(caller: Principal, caf_id: string): Promise<Shown<VersionedApprovalFlowRow>> {
    return this.db.write(async () => this.shownOne(caller, await this.flows.activateFlow(caf_id, this.isShownTo(caller))));
  }

  deactivateFlow(caller: Principal, caf_id: string): Promise<Shown<VersionedApprovalFlowRow>> {
    return this.db.write(async () => this.shownOne(caller, await this.flows.deactivateFlow(caf_id)));
  }

  /** What the flow names already is not asked after again. */
  change(
    caller: Principal,
    caf_id: string,
    { wish, state_map }: FlowRevision,
    precondition?: Precondition,
  ): Promise<Shown<VersionedApprovalFlowRow>> {
    return this.db.write(async () => {
      const { caf_scope: before } = await this.flows.get(caf_id);
      const checked = { ...wish, ...(await this.checkedScope(caller, wish.caf_scope, before)) };
      return this.shownOne(
        caller,
        await this.flows.change(caf_id, { wish: checked, state_map }, { precondition, isShown: this.isShownTo(caller) }),
      );
    });
  }

  /** A flow that is also for sites which the caller cannot see is not named as one of their scope. */
  private isShownTo(caller: Principal): (scope: Scope) => Promise<boolean> {
    return async ({ sites }) => ![...(await this.access.findVisibility(caller, sites)).values()].includes(false);
  }

  private async shownOne<Row extends ApprovalFlowRow>(caller: Principal, row: Row): Promise<Shown<Row>> {
    const [shown] = await this.shownTo(caller, [row]);
    return shown ?? { ...row, covers_other_sites: false };
  }

  private async shownTo<Row extends ApprovalFlowRow>(caller: Principal, rows: readonly Row[]): Promise<Shown<Row>[]> {
    const named = [...new Set(rows.flatMap(({ caf_scope }) => caf_scope.sites))];
    const visibility = named.length > 0 ? await this.access.findVisibility(caller, named) : new Map<string, boolean>();
    return rows.map((row) => ({
      ...row,
      caf_scope: { ...row.caf_scope, sites: row.caf_scope.sites.filter((id) => visibility.get(id) === true) },
      covers_other_sites: row.caf_scope.sites.some((id) => visibility.get(id) === false),
    }));
  }

  private async checkedScope(caller: Principal, scope: Scope | undefined, before?: Scope): Promise<{ readonly caf_scope?: Scope }> {
    if (!scope) return {};
    const sites = scope.sites.map((id) => id.toLowerCase());
    const known = await this.access.findReadableNames(caller, sites);
    const visibility = await this.access.findVisibility(caller, before?.sites ?? []);
    const [kept, hidden] = [true, false].map((is) => [...visibility].flatMap(([id, isVisible]) => (isVisible === is ? [id] : [])));
    const locales = scope.locales.map((locale) => canonicalLocale(locale));
    const faults = [
      ...sites.flatMap((id, at) => (known.has(id) || kept?.includes(id) ? [] : [unknownSite(at)])),
      ...locales.flatMap((locale, at) => (locale === undefined ? [notALocale(at)] : [])),
    ];
    if (faults.length > 0) throw invalidFields(faults);
    return { caf_scope: { sites: [...sites, ...(hidden ?? [])], locales: locales.flatMap((locale) => locale ?? []) } };
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
