import { AREAS, PERMISSIONS } from '@atrium/platform/access';

export interface BuiltInRole {
  readonly role_key: 'owner' | 'admin' | 'editor' | 'contributor' | 'viewer';
  readonly role_name: string;
  readonly role_description: string;
  readonly role_permissions: readonly string[];
  readonly role_default: boolean;
}

/** `area: a/b` → `area:a`, `area:b`. */
const grants = (text: string): string[] =>
  text.split(';').flatMap((entry) => {
    const part = entry.trim();
    const at = part.indexOf(':');
    return part
      .slice(at + 1)
      .split('/')
      .map((action) => `${part.slice(0, at)}:${action}`);
  });

const EDITOR = grants(
  'media:*; document:*; thread:*; prompt:*; design:*; presentation:*; infographic:*; studio:*; task:*; content:view/edit/approve; ' +
    'knowledge-base:view/edit/write/upload/delete; agent:view/edit/run; space:view/create/edit; object:view/create/edit/delete; site:view/edit/publish; ' +
    'social:view/edit/publish; workflow:view/run; job:view; integration:view/use; extension:view/state; channel:view/edit',
);

const CONTRIBUTOR = grants(
  'media:view/upload/download/tag; document:view/upload/download; knowledge-base:view; thread:*; agent:view/run; space:view; prompt:view/run; ' +
    'object:view/create; design:view/contribute; presentation:view/create; infographic:view/create; studio:view/generate; site:view; content:view/edit; ' +
    'social:view; workflow:view/run; task:view/complete; integration:use; extension:view',
);

const VIEWER = [
  ...PERMISSIONS.filter((permission) => permission.endsWith(':view') && !permission.startsWith('admin:')),
  'media:download',
  'document:download',
];

/** The roles every workspace starts with; all but the owner's permissions may be edited afterwards. */
export const BUILT_IN_ROLES: readonly BuiltInRole[] = [
  {
    role_key: 'owner',
    role_name: 'Owner',
    role_description: 'Has every permission, including those of future versions.',
    role_permissions: ['*'],
    role_default: false,
  },
  {
    role_key: 'admin',
    role_name: 'Administrator',
    role_description: 'Has every permission of the current version.',
    role_permissions: AREAS.map((area) => `${area}:*`),
    role_default: false,
  },
  {
    role_key: 'editor',
    role_name: 'Editor',
    role_description: 'Creates, changes and publishes content.',
    role_permissions: EDITOR,
    role_default: false,
  },
  {
    role_key: 'contributor',
    role_name: 'Contributor',
    role_description: 'Adds content and works with agents.',
    role_permissions: CONTRIBUTOR,
    role_default: false,
  },
  {
    role_key: 'viewer',
    role_name: 'Viewer',
    role_description: 'Views content and downloads from the libraries.',
    role_permissions: VIEWER,
    role_default: true,
  },
];
