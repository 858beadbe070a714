import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely'

import type { RecordKind } from '../contract/records.ts'
import type { Status } from '../contract/status.ts'
import type { AccountTable, SessionTable, SetupStateTable, SignInTable, TicketTable } from './account-tables.ts'
import type { AddressBookMemberTable, AddressBookTable, DeviceTable } from './address-book-tables.ts'
import type { AssistantClientTable, AssistantGrantTable, AssistantTokenTable } from './assistant-tables.ts'
import type {
  ChangesetTable,
  ChangeTable,
  ImportMappingTable,
  MergeTable,
  PlannedChangeTable,
  SheetPreviewPartTable,
  SheetPreviewTable,
} from './changeset-tables.ts'
import type { CheckColumns, CheckMailTable } from './check-tables.ts'
import type { CommentRecipientTable, CommentTable } from './comment-tables.ts'
import type {
  CalendarTable,
  DeadlinePendingTable,
  DeadlineReminderTable,
  DeadlineRoundTable,
  DeadlineTable,
  ReassignedDeadlines,
  ReminderPreferenceTable,
} from './deadline-tables.ts'
import type { DirectoryGroupTable, DirectoryUserTable, ScimTokenTable } from './directory-tables.ts'
import type { DossierFileTable, DossierTable } from './dossier-tables.ts'
import type { ErasurePendingTable, ErasureTable } from './erasure-tables.ts'
import type { InsightDayTable, InsightMailTable, KeptInsightTable } from './insight-tables.ts'
import type {
  ApiTokenTable,
  AuditChainTable,
  AuditEventTable,
  DownloadTable,
  ErrorLogTable,
  ErrorSeenTable,
  Timestamp,
  PageViewTable,
} from './log-tables.ts'
import type { ArchivableColumns, RecordColumns, VersionColumns } from './record-columns.ts'
import type { MailTable, ProposalFieldTable, ProposalTable, RequestTable } from './request-tables.ts'
import type { WebhookTables } from './webhook-tables.ts'

/** The types of all tables, matching the migrations column by column. Days are text, moments are `Date`, bytes are `Buffer`. */
export interface Database extends WebhookTables {
  picture: PictureTable
  picture_size: { picture: string; width: number; type: string; bytes: Buffer }
  change: ChangeTable
  former_slug: FormerSlugTable
  region: RegionTable
  brand: BrandTable
  charter: CharterTable
  site: SiteTable
  facility: FacilityTable
  enrollment: EnrollmentTable
  program_type: ProgramTypeTable
  site_program_type: SiteProgramTypeTable
  person: PersonTable
  role: RoleTable
  site_person: SitePersonTable
  departure: DepartureTable
  sis_site: SisSiteTable
  charter_affair: CharterAffairTable
  authorizer_board_member: AuthorizerBoardMemberTable
  center_district: CenterDistrictTable
  account: AccountTable
  super_admin_binding: { tenant: string; address: string; account: string }
  permission: PermissionTable
  setup_state: SetupStateTable
  sign_in: SignInTable
  ticket: TicketTable
  session: SessionTable
  api_token: ApiTokenTable
  scim_token: ScimTokenTable
  device: DeviceTable
  assistant_client: AssistantClientTable
  assistant_grant: AssistantGrantTable
  assistant_token: AssistantTokenTable
  address_book: AddressBookTable
  address_book_member: AddressBookMemberTable
  directory_user: DirectoryUserTable
  directory_group: DirectoryGroupTable
  directory_membership: { group: string; user: string }
  level_mapping: { group: string; level: number }
  hr_person: HrPersonTable
  setting: SettingTable
  deadline: DeadlineTable
  deadline_pending: DeadlinePendingTable
  calendar: CalendarTable
  deadline_reminder: DeadlineReminderTable
  deadline_round: DeadlineRoundTable
  reminder_preference: ReminderPreferenceTable
  check_mail: CheckMailTable
  request: RequestTable
  proposal: ProposalTable
  changeset: ChangesetTable
  not_duplicate: { kind: string; a: string; b: string; name: string; at: Timestamp }
  merge: MergeTable
  planned_change: PlannedChangeTable
  sheet_preview: SheetPreviewTable
  sheet_preview_part: SheetPreviewPartTable
  import_mapping: ImportMappingTable
  proposal_field: ProposalFieldTable
  mail: MailTable
  comment: CommentTable
  comment_recipient: CommentRecipientTable
  page_view: PageViewTable
  error_log: ErrorLogTable
  error_seen: ErrorSeenTable
  secret: { name: string; value: Buffer }
  favorite: { account: string; kind: RecordKind; record: string; createdAt: Timestamp }
  recently_viewed: { account: string; kind: RecordKind; record: string; viewedAt: Timestamp }
  saved_view: SavedViewTable
  download: DownloadTable
  dossier: DossierTable
  dossier_file: DossierFileTable
  audit_event: AuditEventTable
  audit_chain: AuditChainTable
  erasure: ErasureTable
  erasure_pending: ErasurePendingTable
  insight_day: InsightDayTable
  kept_insight: KeptInsightTable
  insight_mail: InsightMailTable
  search_miss: { _id: GeneratedAlways<number>; at: Timestamp; query: string; visitor: string; times: Generated<number> }
}

interface PictureTable {
  _id: string
  type: string
  width: number
  height: number
  bytes: Buffer
  createdAt: Timestamp
}

interface FormerSlugTable {
  table: string
  slug: string
  record: string
}

interface RegionTable extends ArchivableColumns {
  name: string
  slug: string
}

interface BrandTable extends ArchivableColumns {
  slug: string
  brandName: string
  brandPhoto: string | null
  brandIcon: string | null
  websiteUrl: string | null
  EnrollmentsUrl: string | null
  status: Generated<Status>
}

interface CharterTable extends ArchivableColumns, CheckColumns {
  slug: string
  name: string
  brand: string
  status: Generated<Status>
  studentCount: number | null
  studentCountUpdatedAt: GeneratedAlways<Date | null>
  abbreviation: string | null
  schoolTypeUrls: ColumnType<{ name: string; url: string }[], string | undefined, string>
  photo: string | null
  charterWebsite: string | null
  charterContactnumber: string | null
  charter_number: string | null
  charter_grade_levels: string | null
  directory_id: string | null
}

interface SiteTable extends ArchivableColumns, CheckColumns {
  slug: string
  name: string | null
  displayName: string
  category: string | null
  finance_id: string | null
  photo: string | null
  status: Generated<Status>
  charter: string | null
  region: string | null
  address_1: string | null
  address_2: string | null
  city: string | null
  state: string | null
  zip: string | null
  phone: string | null
  fax: string | null
  start_day: string | null
  end_day: string | null
  start_time: string | null
  end_time: string | null
  description: string | null
  closures: string | null
  latitude: number | null
  longitude: number | null
  directory_id: string | null
}

interface FacilityTable extends VersionColumns {
  site: string
  county: string | null
  lease_holder: string | null
  lease_start: string | null
  lease_end: string | null
  lease_end_open: Generated<boolean>
  apn: string | null
  sq_footage: string | null
  phone_2: string | null
  partnership: Generated<boolean>
  fac_notes: string | null
  agreement_type: string | null
  signage_language: string | null
  original_lease_holder: string | null
  base_rent: string | null
  option_renew: string | null
  lease_notes: string | null
  guarantor: string | null
  original_lease_holder_released: string | null
  original_guarantor_released: string | null
  leaseTerm: string | null
}

interface EnrollmentTable extends VersionColumns {
  site: string
  about: string | null
  moreAbout: string | null
  registrationEmail: Generated<string[]>
  interestEmail: Generated<string[]>
  primaryEmailstatus: Generated<string>
  addtionalEmailstatus: Generated<string>
  virtual_orientation_link: string | null
  selected_dates: ColumnType<unknown[], string | undefined, string>
  recurring_dates: ColumnType<Record<string, unknown>, string | undefined, string>
  blackout_dates: Generated<string[]>
}

interface ProgramTypeTable extends RecordColumns {
  name: string
}

interface SiteProgramTypeTable extends RecordColumns {
  site: string
  program_type: string
}

interface PersonTable extends ArchivableColumns, CheckColumns {
  slug: string
  name: string
  phone: string | null
  email: string | null
  fax: string | null
  sql_person_id: string | null
  leftAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
}

interface RoleTable extends RecordColumns {
  name: string
  group: 'LEADERSHIP' | 'STUDENT_SUPPORT'
  notAt: Generated<string[]>
}

interface SitePersonTable extends RecordColumns {
  site: string
  person: string
  role: string
}

/** What a departure ended: the previous rows as JSON. */
interface DepartureTable {
  _id: Generated<string>
  person: string
  at: Timestamp
  by: string | null
  address: string | null
  endedRoles: JSONColumnType<{ _id: string }[]>
  newRoles: string[]
  accounts: string[]
  permissions: JSONColumnType<{ accessLevel: number }[]>
  deadlines: JSONColumnType<ReassignedDeadlines> | null
}

interface SisSiteTable extends RecordColumns {
  site: string
  name: string
  sislc_id: string | null
  charterId: string | null
  charterName: string | null
  status: Generated<boolean>
  activeDate: string | null
  inactiveDate: string | null
  type_array: Generated<string[]>
  siteId: string | null
  summer_district: Generated<boolean>
  intersession: Generated<boolean>
  home_study: Generated<boolean>
  nonAdaStudents: Generated<boolean>
  online_education: Generated<boolean>
  activeSite: Generated<boolean>
  sgi: Generated<boolean>
  homeSiteId: string | null
}

type Section = ColumnType<Record<string, string | null>, string | undefined, string>

interface CharterAffairTable extends RecordColumns {
  charter: string
  charter_no_cds: Section
  charter_terms: Section
  funding: Section
  mou: Section
  notice_website: Section
  overview: Section
}

interface AuthorizerBoardMemberTable extends RecordColumns {
  charter_affair: string
  authorizer: string | null
  board_member_name: string | null
  board_position: string | null
  board_term: string | null
  charter_voting_position: string | null
  charter_voting_notes: string | null
}

interface CenterDistrictTable extends RecordColumns {
  charter_affair: string
  corp: string | null
  center_name: string | null
  center_locations: string | null
  county: string | null
  area_sup: string | null
  high_school_district: string | null
  elementary_district: string | null
  out_of_county_center: string | null
  notes: string | null
}

interface PermissionTable extends RecordColumns {
  applicationID: string
  azureID: string
  name: string
  person: string | null
  account: string | null
  superAdmin: Generated<boolean>
  accessLevel: number
  accessName: Generated<string>
}

interface HrPersonTable {
  PersonID: string
  FirstName: string | null
  LastName: string | null
  Hris_EmailAddress: string | null
  EmailAddress: string | null
  Title: string | null
  Department: string | null
  Company: string | null
  Region: string | null
  goneAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
  lastImport: GeneratedAlways<unknown>
  normalized_name: GeneratedAlways<string>
  normalized_words: GeneratedAlways<string>
  normalized_addresses: GeneratedAlways<string>
  letter_pairs: GeneratedAlways<string[]>
}

interface SettingTable extends VersionColumns {
  name: string
  value: JSONColumnType<object>
}

interface SavedViewTable {
  _id: Generated<string>
  account: string
  name: string
  page: string
  search: string
  shared: Generated<boolean>
  createdAt: Timestamp
}
