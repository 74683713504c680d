import { Problem } from '@atrium/platform/kernel';
import { isModule, type Module } from './modules';
import { PermissionSet } from './permissions';
import { assertHoldings, describePolicy, Policy, POLICY, Public, self, type Demand, type RoutePolicy } from './policy';

const policyOf = (decorator: MethodDecorator): RoutePolicy => {
  const handler = (): void => undefined;
  decorator({}, 'handler', { value: handler });
  return Reflect.getMetadata(POLICY, handler) as RoutePolicy;
};
const stated = (wanted: Demand | typeof self): RoutePolicy => policyOf(Policy(wanted));
const refusal = (
  policy: RoutePolicy,
  permissions: readonly string[],
  modules: readonly string[] = [],
  key_id: string | null = null,
): string => {
  try {
    assertHoldings(policy, { permissions: PermissionSet.of(permissions), modules: new Set<Module>(modules.filter(isModule)), key_id });
    return 'admitted';
  } catch (error) {
    return error instanceof Problem ? `${error.code}: ${error.detail}` : String(error);
  }
};

describe('a policy', () => {
  it('asks for any one, or for all, and names what is missing', () => {
    const any = stated({ any: ['media:view', 'document:view'] });
    expect(refusal(any, ['document:view'])).toBe('admitted');
    expect(refusal(any, ['task:view'])).toBe(
      'permission_denied: You need any one of the permissions media:view, document:view. Ask an administrator of the workspace for one of them.',
    );
    const all = stated({ all: ['admin:users', 'admin:roles'] });
    expect(refusal(all, ['admin:*'])).toBe('admitted');
    expect(refusal(all, ['admin:users'])).toBe(
      'permission_denied: You need the permission admin:roles. Ask an administrator of the workspace for it.',
    );
  });

  it('asks for the module before the permission', () => {
    const policy = stated({ any: ['design:edit'], license: 'module-design' });
    expect(refusal(policy, [])).toBe(
      'license_required: The workspace is not licensed for module-design. Ask the operator of the installation to add the module.',
    );
    expect(refusal(policy, [], ['module-design'])).toBe(
      'permission_denied: You need the permission design:edit. Ask an administrator of the workspace for it.',
    );
    expect(refusal(policy, ['design:edit'], ['module-design'])).toBe('admitted');
  });

  it('refuses a key where only the person decides, however much it carries', () => {
    const policy = policyOf(Policy(self, { byKey: 'refused' }));
    expect(refusal(policy, [])).toBe('admitted');
    expect(refusal(policy, ['*'], [], 'a key')).toBe(
      'permission_denied: This operation cannot be called with an API key. Sign in and try again.',
    );
    expect(describePolicy(policy)).toBe(
      'Open to any member of the workspace. Cannot be called with an API key: the person must be signed in.',
    );
  });

  it('asks of a key what it names, besides the rest', () => {
    const policy = policyOf(Policy({ any: ['media:view'] }, { byKey: ['media:share', 'admin:share-links'] }));
    expect(refusal(policy, ['media:view'])).toBe('admitted');
    expect(refusal(policy, ['media:view'], [], 'a key')).toBe(
      'permission_denied: An API key needs any one of the permissions media:share, admin:share-links for this operation. Use another key, or sign in.',
    );
    expect(refusal(policy, ['media:share'], [], 'a key')).toBe(
      'permission_denied: You need the permission media:view. Ask an administrator of the workspace for it.',
    );
    expect(refusal(policy, ['media:view', 'media:share'], [], 'a key')).toBe('admitted');
    expect(describePolicy(policy)).toBe(
      'Requires the permission `media:view`. An API key requires any one of `media:share`, `admin:share-links`.',
    );
  });

  it('of oneself asks for nothing but a member', () => {
    expect(refusal(stated(self), [])).toBe('admitted');
  });

  it('that asks for nothing is refused where it is written', () => {
    expect(() => Policy({})).toThrow('names permissions');
    expect(() => Policy({ any: [] })).toThrow('names permissions');
  });

  it('reads as a sentence', () => {
    expect(describePolicy(stated({ any: ['media:view'] }))).toBe('Requires the permission `media:view`.');
    expect(describePolicy(stated({ any: ['media:view', 'document:view'], license: 'module-documents' }))).toBe(
      'Requires any one of the permissions `media:view`, `document:view`. Requires the module `module-documents` in the workspace.',
    );
    expect(describePolicy(stated({ all: ['admin:users', 'admin:roles'] }))).toBe(
      'Requires all of the permissions `admin:users`, `admin:roles`.',
    );
    expect(describePolicy(policyOf(Public('a window')))).toBe('No authentication required: a window');
  });
});
