import { Module } from '@nestjs/common';
import { Bearers } from '../sign-in/application/bearers';
import { ContentTransfer } from './application/content-transfer';
import { InvitationSender } from './application/invitation-sender';
import { InvitationsService } from '../sign-in/application/invitations.service';
import { Links } from '../mail/application/links';
import { MeService } from './application/me.service';
import { MembersService } from './application/members.service';
import { MembershipService } from './application/membership.service';
import { UsersService } from './application/users.service';
import { DirectoryController, InvitationsController, MyMembershipController } from './http/membership.controller';
import { UsersController } from './http/users.controller';
import { DirectoryRepository } from './infrastructure/directory.repository';
import { InvitationsRepository } from './infrastructure/invitations.repository';
import { UsersRepository } from './infrastructure/users.repository';
import { WorkspaceRepository } from '../settings/infrastructure/workspace.repository';
import { SignInHttpModule } from '../sign-in/sign-in.module';

/** The routes of people: members and their invitations, the directory, one's own membership. */
@Module({
  imports: [SignInHttpModule],
  controllers: [UsersController, DirectoryController, MyMembershipController, InvitationsController],
  providers: [
    Bearers,
    ContentTransfer,
    DirectoryRepository,
    InvitationSender,
    InvitationsRepository,
    InvitationsService,
    Links,
    MembersService,
    MembershipService,
    MeService,
    UsersRepository,
    UsersService,
    WorkspaceRepository,
  ],
  exports: [UsersService, MembersService],
})
export class PeopleHttpModule {}
