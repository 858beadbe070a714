import type { RecordFormProps } from '../../../pages/web/public/RecordPage.tsx'
import { useRecordForm } from '../../../pages/web/public/use-record-form.ts'
import type { Site } from '../../contract.ts'

/** The props of the edit form of a page of a site. */
export type SiteFormProps = RecordFormProps<Site>

/** The form of a site, or of the part of it whose paths start with a prefix. */
export const useSiteForm = ({ _id, displayName, version, slug }: Site, onClose: () => void, prefix?: string) =>
  useRecordForm({ kind: 'site', _id, name: displayName, version, site: slug, prefix }, onClose)
