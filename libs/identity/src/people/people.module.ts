import { Module, type Provider } from '@nestjs/common';
import { JobsModule } from '@atrium/platform/messaging';
import { MailModule } from '../mail/mail.module';
import { RolesModule } from '../roles/roles.module';
import { SettingsModule } from '../settings/settings.module';
import { ContentOwners } from './application/content-owners';
import { ContentTransfer } from './application/content-transfer';
import { FormerMembers } from './application/former-members';
import { InvitationSender } from './application/invitation-sender';
import { InvitationsService } from './application/invitations.service';
import { Joining } from './application/joining';
import { KnownMembers } from './infrastructure/known-members';
import { MeService } from './application/me.service';
import { MembersService } from './application/members.service';
import { MembershipService } from './application/membership.service';
import { RoleHoldersService } from './application/role-holders.service';
import { UsersService } from './application/users.service';
import { MeController } from './http/me.controller';
import { DirectoryController, MyMembershipController } from './http/membership.controller';
import { RoleHoldersController } from './http/role-holders.controller';
import { UsersController } from './http/users.controller';
import { DirectoryRepository } from './infrastructure/directory.repository';
import { FormerMemberRows } from './infrastructure/former-member.rows';
import { InvitationsRepository } from './infrastructure/invitations.repository';
import { UsersRepository } from './infrastructure/users.repository';
import { TransferHandler } from './jobs/transfer.handler';
import { userTransfer } from './jobs/transfer.jobs';

const PEOPLE: Provider[] = [
  ContentOwners,
  ContentTransfer,
  DirectoryRepository,
  FormerMemberRows,
  FormerMembers,
  InvitationSender,
  InvitationsRepository,
  InvitationsService,
  Joining,
  KnownMembers,
  MeService,
  MembersService,
  MembershipService,
  RoleHoldersService,
  UsersRepository,
  UsersService,
];

/** Members of a workspace: how they are invited and join, what is known of them, what becomes of what they made. */
@Module({ imports: [MailModule, RolesModule, SettingsModule], providers: PEOPLE, exports: PEOPLE })
export class PeopleModule {}

/** Its routes. */
@Module({
  imports: [PeopleModule],
  controllers: [UsersController, DirectoryController, MyMembershipController, MeController, RoleHoldersController],
})
export class PeopleHttpModule {}

/** Its background work. */
@Module({ imports: [PeopleModule, JobsModule.define([userTransfer])], providers: [TransferHandler] })
export class PeopleWorkerModule {}
