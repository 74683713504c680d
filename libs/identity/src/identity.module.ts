import { Global, Module } from '@nestjs/common';
import { AccessListsHttpModule, AccessListsModule, AccessListsWorkerModule } from './access-lists/access-lists.module';
import { CallersHttpModule, CallersModule } from './callers/callers.module';
import { ExplanationHttpModule, ExplanationModule } from './explanation/explanation.module';
import { IssuersHttpModule, IssuersModule, IssuersWorkerModule } from './issuers/issuers.module';
import { KeysHttpModule, KeysModule, KeysWorkerModule } from './keys/keys.module';
import { MailModule, MailWorkerModule } from './mail/mail.module';
import { PeopleHttpModule, PeopleModule, PeopleWorkerModule } from './people/people.module';
import { RolesHttpModule, RolesModule } from './roles/roles.module';
import { SettingsHttpModule, SettingsModule } from './settings/settings.module';
import { SignInHttpModule, SignInModule } from './sign-in/sign-in.module';
import { ThrottleModule } from './throttle/throttle.module';
import { WorkspacesHttpModule, WorkspacesModule, WorkspacesWorkerModule } from './workspaces/workspaces.module';

const AREAS = [
  AccessListsModule,
  CallersModule,
  ExplanationModule,
  IssuersModule,
  KeysModule,
  MailModule,
  PeopleModule,
  RolesModule,
  SettingsModule,
  SignInModule,
  ThrottleModule,
  WorkspacesModule,
];

/** Who is calling, in which workspace, and may they. */
@Global()
@Module({ imports: AREAS, exports: AREAS })
export class IdentityModule {}

/** The routes of this context, and the guard of all routes. */
@Module({
  imports: [
    IdentityModule,
    AccessListsHttpModule,
    CallersHttpModule,
    PeopleHttpModule,
    RolesHttpModule,
    ExplanationHttpModule,
    KeysHttpModule,
    SettingsHttpModule,
    IssuersHttpModule,
    SignInHttpModule,
    WorkspacesHttpModule,
  ],
})
export class IdentityHttpModule {}

/** The background work of this context. */
@Module({
  imports: [
    IdentityModule,
    AccessListsWorkerModule,
    IssuersWorkerModule,
    KeysWorkerModule,
    MailWorkerModule,
    PeopleWorkerModule,
    WorkspacesWorkerModule,
  ],
})
export class IdentityWorkerModule {}
