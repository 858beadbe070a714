import { field, type ImportField } from './import-fields.ts'
import { FAX_HEADERS, PHONE_HEADERS, PLACE } from './place-fields.ts'
import { CHARTER_IMPORT, SITE_IMPORT } from './school-import-fields.ts'

const STAFF_IMPORT = {
  PersonID: field(
    'Employee number',
    'number',
    ['person.sql_person_id', 'hr_person.PersonID'],
    [
      'Person ID',
      'Employee ID',
      'Employee Number',
      'Employee No',
      'Employee #',
      'Emp ID',
      'EmplID',
      'Worker ID',
      'Associate ID',
      'Staff ID',
      'SQL Person ID',
      'HR Number',
      'id',
      'employee',
      'file number',
      'position id',
      'payroll id',
      'badge',
      'worker',
      'emp no',
      'emp #',
      'employee code',
      'personnel number',
    ],
  ),
  full_name: field(
    'Full name',
    'person',
    [],
    [
      'name',
      'full name',
      'employee name',
      'worker name',
      'staff name',
      'staff member',
      'employee',
      'worker',
      'person',
      'display name',
      'preferred name',
      'legal name',
      'name (last, first)',
      'last, first',
      'last name, first name',
      'payroll name',
    ],
  ),
  FirstName: field(
    'First name',
    'text',
    ['hr_person.FirstName'],
    ['First Name', 'Given Name', 'Preferred First Name', 'Legal First Name', 'Forename', 'First', 'fname', 'preferred name'],
  ),
  LastName: field(
    'Last name',
    'text',
    ['hr_person.LastName'],
    ['Last Name', 'Surname', 'Family Name', 'Preferred Last Name', 'Legal Last Name', 'Last', 'lname'],
  ),
  EmailAddress: field(
    'Work email',
    'email',
    ['person.email', 'hr_person.EmailAddress'],
    [
      'Work Email',
      'Work Email Address',
      'Email',
      'E-mail',
      'Email Address',
      'Business Email',
      'Directory Email',
      'User Principal Name',
      'UPN',
      'work contact: work email',
      'company email',
      'primary email',
      'email work',
      'office email',
      'login',
      'mail',
    ],
  ),
  Hris_EmailAddress: field(
    'Email in the HR system',
    'email',
    ['hr_person.Hris_EmailAddress'],
    ['HRIS Email', 'HRIS Email Address', 'HR Email', 'HR Email Address', 'personal email', 'home email', 'secondary email'],
  ),
  phone: field(
    'Phone',
    'phone',
    ['person.phone'],
    ['work phone', 'business phone', 'mobile', 'cell', 'cell phone', 'mobile phone', 'direct line', ...PHONE_HEADERS],
  ),
  extension: PLACE.extension,
  fax: field('Fax', 'fax', [], FAX_HEADERS),
  Title: field(
    'Job title, which becomes the role',
    'word',
    ['site_person.role', 'hr_person.Title'],
    [
      'Job Title',
      'Position',
      'Position Title',
      'Business Title',
      'Job',
      'role',
      'job title description',
      'position description',
      'job description',
      'job profile',
      'job classification',
      'working title',
    ],
    {
      words: 'role',
      none: 'No role',
      about:
        'Choose the role that a job title means, or “No role”: these people are added without a role at a site. The roles are fixed, so that none can be added here or in Settings; Add Staff shows the title itself.',
    },
  ),
  location: field(
    'Site',
    'word',
    ['site_person.site'],
    [
      'location',
      'site',
      'work location',
      'location name',
      'location description',
      'school',
      'school site',
      'primary location',
      'campus',
      'work site',
      'office location',
      'home location',
      'building',
      'assigned location',
      'worksite',
    ],
    {
      words: 'site',
      none: 'No site',
      about:
        'Choose the site where these people work, or “No site”: they are added without a role. If a site is missing here, import the sites first.',
    },
  ),
  Department: field(
    'Department',
    'text',
    ['hr_person.Department'],
    ['Department Name', 'Dept', 'Home Department', 'home department description', 'cost center', 'division'],
  ),
  Company: field(
    'Company',
    'text',
    ['hr_person.Company'],
    ['Company Name', 'Employer', 'Legal Entity', 'Organization', 'company code', 'employer name', 'business unit', 'entity'],
  ),
  Region: field('Region', 'text', ['hr_person.Region'], ['Region Name', 'Work Region']),
} as const satisfies Readonly<Record<string, ImportField>>

/** The columns of the directory of employees that Add Staff searches, without what makes them people with roles. */
const EMPLOYEE_IMPORT = {
  PersonID: { ...STAFF_IMPORT.PersonID, to: ['hr_person.PersonID'], isRequired: true },
  full_name: STAFF_IMPORT.full_name,
  FirstName: STAFF_IMPORT.FirstName,
  LastName: STAFF_IMPORT.LastName,
  Hris_EmailAddress: STAFF_IMPORT.Hris_EmailAddress,
  EmailAddress: { ...STAFF_IMPORT.EmailAddress, to: ['hr_person.EmailAddress'] },
  Title: field('Job title', 'text', ['hr_person.Title'], STAFF_IMPORT.Title.headers),
  Department: STAFF_IMPORT.Department,
  Company: STAFF_IMPORT.Company,
  Region: STAFF_IMPORT.Region,
} as const satisfies Readonly<Record<string, ImportField>>

const SIS_SITE_IMPORT = {
  name: field('Name', 'text', ['sis_site.name'], ['sis site', 'sis site name', 'site name', 'sis name', 'school name', 'description'], {
    isRequired: true,
  }),
  site: field(
    'Associated site',
    'word',
    ['sis_site.site'],
    ['location', 'associated site', 'resource center', 'center', 'homeroom site', 'campus', 'location name', 'site location', 'facility'],
    { isRequired: true, words: 'site' },
  ),
  status: field('Active', 'yes', ['sis_site.status'], ['active', 'status', 'is active', 'in use']),
  sislc_id: field('SISLC ID', 'digits', ['sis_site.sislc_id'], ['sislc', 'sis lc id', 'lc id', 'learning center id']),
  siteId: field('Site ID', 'digits', ['sis_site.siteId'], ['site id', 'sis id', 'sis site id', 'site number', 'site code']),
  homeSiteId: field('Home site ID', 'digits', ['sis_site.homeSiteId'], ['home site id', 'home site', 'home id']),
  charterId: field('Charter ID', 'digits', ['sis_site.charterId'], ['charter id', 'school id', 'sis charter id', 'charter code']),
  charterName: field('Charter name', 'text', ['sis_site.charterName'], ['charter', 'charter name', 'school', 'sis charter']),
  activeDate: field(
    'Active date',
    'day',
    ['sis_site.activeDate'],
    ['active date', 'start date', 'opened', 'open date', 'active from', 'date active', 'begin date', 'effective date'],
  ),
  inactiveDate: field(
    'Inactive date',
    'day',
    ['sis_site.inactiveDate'],
    ['inactive date', 'end date', 'closed', 'close date', 'active to', 'active until', 'date inactive'],
  ),
  activeSite: field('Active site', 'yes', ['sis_site.activeSite'], ['active site']),
  summer_district: field('Summer district', 'yes', ['sis_site.summer_district'], ['summer']),
  intersession: field('Intersession', 'yes', ['sis_site.intersession']),
  home_study: field('Home study', 'yes', ['sis_site.home_study'], ['homestudy']),
  nonAdaStudents: field('Non-ADA students', 'yes', ['sis_site.nonAdaStudents'], ['non ada', 'non-ada']),
  online_education: field('Online education', 'yes', ['sis_site.online_education'], ['online']),
  sgi: field('SGI', 'yes', ['sis_site.sgi']),
} as const satisfies Readonly<Record<string, ImportField>>

export type ImportKind = 'charters' | 'sites' | 'staff' | 'employees' | 'sis_sites'

/** What a file of each kind can hold. */
export const IMPORT_KINDS: Readonly<Record<ImportKind, Readonly<Record<string, ImportField>>>> = {
  charters: CHARTER_IMPORT,
  sites: SITE_IMPORT,
  staff: STAFF_IMPORT,
  employees: EMPLOYEE_IMPORT,
  sis_sites: SIS_SITE_IMPORT,
}

/** The fields of a kind with their headers, for the help of the command. */
export const formatImportFields = (kind: ImportKind): string =>
  Object.entries(IMPORT_KINDS[kind])
    .map(([key, { label, headers }]) => `  ${key.padEnd(18)} ${[label, ...headers].join(', ')}`)
    .join('\n')
