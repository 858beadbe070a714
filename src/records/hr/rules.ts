import type { StaffSearchResult } from './contract.ts'

/** The labels of the fields of an employee. */
export const employeeLabels: Record<keyof StaffSearchResult, string> = {
  FirstName: 'First name',
  LastName: 'Last name',
  Hris_EmailAddress: 'HR email',
  EmailAddress: 'Email',
  Title: 'Title',
  Department: 'Department',
  Company: 'Company',
  Region: 'Region',
  PersonID: 'HR number',
}

/** First and last name; the number if the source has neither. */
export const getEmployeeName = ({ FirstName, LastName, PersonID }: StaffSearchResult): string =>
  [FirstName, LastName].filter(Boolean).join(' ') || PersonID

/** The preferred address is the work address. */
export const getEmployeeEmail = ({ EmailAddress, Hris_EmailAddress }: StaffSearchResult): string | null => EmailAddress ?? Hris_EmailAddress
