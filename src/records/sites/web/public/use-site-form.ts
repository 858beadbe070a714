import { send } from '../../../../platform/web/client.ts'
import type { RecordFormProps } from '../../../pages/web/public/RecordPage.tsx'
import { useRecordForm } from '../../../pages/web/public/use-record-form.ts'
import { readSite, type Site } from '../../contract.ts'
import { cacheSite } from '../queries.ts'

/** The props of the edit form of a page of a site. */
export type SiteFormProps = RecordFormProps<Site>

/** The form of a site, or of the part of it whose paths start with a prefix. */
export const useSiteForm = ({ _id, displayName, version, slug }: Site, onClose: () => void, prefix?: string) =>
  useRecordForm({ kind: 'site', _id, name: displayName, version, site: slug, prefix }, onClose)

/** The form of a part of a site: a record of its own, which is read and shown with the site. */
export const useSitePartForm = <P extends 'facility_info' | 'enrollment_info'>(
  site: Site,
  onClose: () => void,
  part: P,
  label: string,
) => ({
  ...useSiteForm(site, onClose, part),
  name: `The ${label.toLowerCase()}`,
  title: `Edit ${label}: ${site.displayName}`,
  back: label,
  record: site[part],
  read: async () => (await send(readSite, { params: { slug: site._id } }))[part],
  onSaved: (saved: Site[P]) => {
    cacheSite({ ...site, [part]: saved })
    onClose()
  },
})
