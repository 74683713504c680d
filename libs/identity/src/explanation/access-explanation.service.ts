import { Injectable } from '@nestjs/common';
import {
  ACL_LEVELS,
  aclLevel,
  isPermission,
  missingForKey,
  missingLicense,
  missingPermission,
  PermissionSet,
  type AclLevel,
  type Module,
  type Principal,
  type RoutePolicy,
} from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { Clock, invalidField, withArticle, type Problem } from '@atrium/platform/kernel';
import { refusalByAddress, refusalByMethod } from '../callers/domain/call-rules';
import { AskedCallers, type AskedCaller, type KeyOfAsked } from './asked-callers.rows';
import { aclReason, permissionReason } from './access-reasons';
import { AccessListRows } from '../access-lists/access-list.rows';
import { AclSources, type AclOfRow } from '../access-lists/acl-sources';
import { factsOf, refusalOf } from '../callers/application/caller-facts';
import type { MemberFacts } from '../callers/infrastructure/caller.rows';
import { PermissionCatalog } from '../roles/application/permission-catalog';

export interface AccessQuestion {
  readonly user_id?: string;
  readonly key_id?: string;
  readonly operation?: string;
  readonly permission?: string;
  readonly resource?: { readonly type: string; readonly id: string } | null;
}

export interface AccessStep {
  readonly step: 'tenant' | 'status' | 'mfa' | 'ip' | 'license' | 'permission' | 'acl';
  readonly passed: boolean;
  readonly because: string;
}

/** What is wanted: the policy a guard decides by, and the level a row's list must give. */
interface Wanted {
  readonly policy: RoutePolicy;
  readonly level: AclLevel;
}

export type Asked = AskedCaller<MemberFacts> & { readonly key: KeyOfAsked | null };

/**
 * Answers why somebody may do something, or may not, by asking the very functions that decide when they call; the answer
 * ends with the first decision that refuses.
 */
@Injectable()
export class AccessExplanationService {
  constructor(
    private readonly db: Database,
    private readonly callers: AskedCallers,
    private readonly catalog: PermissionCatalog,
    private readonly acls: AclSources,
    private readonly lists: AccessListRows,
    private readonly clock: Clock,
  ) {}

  explainAccess(caller: Principal, question: AccessQuestion): Promise<{ allowed: boolean; steps: AccessStep[] }> {
    const wanted = this.wanted(question);
    return this.db.read(async () => {
      const asked = await this.asked(question);
      const row = question.resource ? await this.row(caller, question.resource) : null;
      const steps: AccessStep[] = [];
      for (const decide of [tenantStep, statusStep, mfaStep, addressStep, licenseStep, permissionStep]) {
        steps.push(decide(asked, wanted, this.clock.now()));
        if (!steps.at(-1)?.passed) return { allowed: false, steps };
      }
      if (row) steps.push(aclStep(asked, wanted, row));
      return { allowed: steps.every(({ passed }) => passed), steps };
    });
  }

  private wanted({ operation, permission }: AccessQuestion): Wanted {
    if ((operation === undefined) === (permission === undefined))
      throw invalidField('operation', 'name either an operation or a permission', 'required');
    if (permission !== undefined) {
      if (!isPermission(permission)) throw invalidField('permission', 'must be a permission of the catalog', 'choice');
      return {
        policy: { kind: 'permissions', any: [permission], anySet: PermissionSet.of([permission]), allSet: PermissionSet.NONE },
        level: levelOfAction(permission),
      };
    }
    const route = this.catalog.findOperation(operation ?? '');
    if (!route) throw invalidField('operation', 'must be the operationId of an operation that requires authentication', 'choice');
    return {
      policy: route.policy,
      level: route.method === 'GET' ? 'view' : route.method === 'DELETE' && /:\w+$/.test(route.path) ? 'owner' : 'edit',
    };
  }

  private async asked({ user_id, key_id }: AccessQuestion): Promise<Asked> {
    if ((user_id === undefined) === (key_id === undefined)) throw invalidField('user_id', 'name either a user or a key', 'required');
    const key = key_id === undefined ? null : await this.callers.findKey(key_id);
    if (key === undefined) throw invalidField('key_id', 'must be an API key of this workspace', 'reference');
    const member = await this.callers.findMember<MemberFacts>(key?.key_user ?? user_id ?? '');
    if (!member) throw invalidField('user_id', 'must be a user of this workspace', 'reference');
    return { ...member, key };
  }

  /** Its name is for those who may read it; to others it is its id. */
  private async row(caller: Principal, { type, id }: { readonly type: string; readonly id: string }): Promise<AclOfRow> {
    const [table, source] = [this.acls.findTable(type), this.acls.findSource(type)];
    const row = table ? await this.lists.findAccessList(table, id) : await source?.(id);
    if (!table && !source) throw invalidField('resource.type', `must be one of ${this.acls.types.join(', ')}`, 'choice');
    if (!row) throw invalidField('resource.id', `must be ${withArticle(type)} of this workspace`, 'reference');
    const level = aclLevel(row.acl, caller);
    const reads = table ? level !== 0 && caller.permissions.has(table.view) : level !== null && level > 0;
    return { ...row, name: `${type} ${reads ? row.name : id.toLowerCase()}` };
  }
}

const tenantStep = ({ user_name, facts, key }: Asked): AccessStep => ({
  step: 'tenant',
  passed: facts.user_status !== 'removed',
  because:
    facts.user_status === 'removed'
      ? `${user_name} was removed from the workspace.`
      : key
        ? `The key ${key.key_name} belongs to ${user_name}, a member of the workspace.`
        : `${user_name} is a member of the workspace.`,
});

function statusStep({ user_name, facts, key }: Asked): AccessStep {
  const refused = refusalOf(facts) !== null;
  if (!refused && key && key.key_status !== 'active')
    return { step: 'status', passed: false, because: `The key ${key.key_name} is ${key.key_status}.` };
  if (!refused) return { step: 'status', passed: true, because: `${user_name}${key ? ', the key' : ''} and the workspace are active.` };
  if (facts.acc_status !== null && facts.acc_status !== 'active')
    return { step: 'status', passed: false, because: `The account of ${user_name} is ${facts.acc_status}.` };
  return {
    step: 'status',
    passed: false,
    because: facts.user_status === 'active' ? `The workspace is ${facts.ws_status}.` : `${user_name} is ${facts.user_status}.`,
  };
}

/** By the latest session; without one, by the best sign-in the person could make. */
function mfaStep({ user_name, facts, key, session }: Asked, { policy }: Wanted): AccessStep {
  if (key || facts.user_kind !== 'person') return { step: 'mfa', passed: true, because: 'API keys need no second factor.' };
  if (policy.enrolling)
    return { step: 'mfa', passed: true, because: 'The operation is available to members who have not set up a second factor yet.' };
  const methods = session?.ses_methods ?? (!facts.security.password_login ? ['ext'] : facts.mfa ? ['pwd', 'otp'] : ['pwd']);
  const refusal = refusalByMethod(facts.security, methods, facts.mfa);
  if (refusal) return refused('mfa', refusal);
  if (!facts.security.password_login)
    return { step: 'mfa', passed: true, because: 'The workspace accepts sessions of its identity provider.' };
  return {
    step: 'mfa',
    passed: true,
    because: facts.security.require_mfa
      ? `The workspace requires a second factor, and ${user_name} has one.`
      : 'The workspace does not require a second factor.',
  };
}

function addressStep({ facts, key, session }: Asked): AccessStep {
  const lists = [facts.security.ip_allow, key?.key_ip_allow ?? []].filter((ranges) => ranges.length > 0);
  if (lists.length === 0) return { step: 'ip', passed: true, because: 'Requests are allowed from any address.' };
  const allowed = lists.map((ranges) => ranges.join(', ')).join(' and within ');
  const address = key ? key.key_last_used_ip : (session?.ses_ip ?? null);
  if (address === null)
    return { step: 'ip', passed: true, because: `Requests are allowed from ${allowed}; the address of the next request decides.` };
  const refusal = refusalByAddress({ address }, ...lists);
  return { step: 'ip', passed: refusal === null, because: `Requests are allowed from ${allowed}; the last request came from ${address}.` };
}

function licenseStep({ facts }: Asked, { policy }: Wanted, now: Date): AccessStep {
  const modules = new Set<Module>(
    factsOf(facts, null)
      .licenses.filter(({ from, until }) => from <= now && (!until || until > now))
      .map(({ module }) => module),
  );
  const refusal = missingLicense(policy, modules);
  if (refusal) return refused('license', refusal);
  return {
    step: 'license',
    passed: true,
    because: policy.license ? `The workspace is licensed for ${policy.license}.` : 'The operation needs no licensed module.',
  };
}

function permissionStep(asked: Asked, { policy }: Wanted): AccessStep {
  const { permissions } = factsOf(asked.facts, asked.key?.key_scopes ?? null);
  const forKey = asked.key ? missingForKey(policy, permissions) : null;
  if (forKey && missingPermission(policy, permissions) === null) return refused('permission', forKey);
  return {
    step: 'permission',
    passed: missingPermission(policy, permissions) === null,
    because: permissionReason(asked, policy, permissions),
  };
}

function aclStep(asked: Asked, { level }: Wanted, row: AclOfRow): AccessStep {
  const { role_ids, space_ids } = factsOf(asked.facts, null);
  const given = aclLevel(row.acl, { user_id: asked.user_id, role_ids, space_ids });
  return { step: 'acl', passed: given === null || given >= ACL_LEVELS[level], because: aclReason(asked, row, given, level) };
}

const refused = (step: AccessStep['step'], { detail }: Problem): AccessStep => ({ step, passed: false, because: detail });

/** What a row's list must give for an action of the catalog. */
function levelOfAction(permission: string): AclLevel {
  const action = permission.slice(permission.indexOf(':') + 1);
  return action === 'delete' ? 'owner' : ['view', 'download', 'run', 'use'].includes(action) ? 'view' : 'edit';
}
