import { Skeleton } from '@mantine/core'

import { formatPhone } from '../../../contract/phones.ts'
import { STATUS_LABELS } from '../../../contract/status.ts'
import { Facts, Lines } from '../../../platform/web/kit/Facts.tsx'
import { formatAddressLines, formatHourLines } from '../address-text.ts'
import { useSite } from './queries.ts'

const formatPhoneOrNull = (phone: string | null) => (phone === null ? null : formatPhone(phone))

/** The current values of a site, next to a change request. */
export const CurrentValues = ({ slug }: { slug: string }) => {
  const { data: site, isError } = useSite(slug)
  if (isError) return <p>The current values could not be loaded.</p>
  if (!site) return <Skeleton height={220} aria-hidden />
  const { address } = site
  const principals = site.people.filter(({ role_match }) => role_match.name === 'Principal').map(({ person }) => person.name)
  return (
    <Facts
      facts={[
        { label: 'Phone', value: formatPhoneOrNull(address.phone), emptyText: 'No number on file' },
        { label: 'Fax', value: formatPhoneOrNull(address.fax), emptyText: 'No number on file' },
        { label: 'Address', value: formatAddressLines(address).length > 0 ? <Lines of={formatAddressLines(address)} /> : null },
        { label: 'Hours', value: formatHourLines(address).length > 0 ? <Lines of={formatHourLines(address)} /> : null },
        { label: 'Status', value: STATUS_LABELS[site.status] },
        { label: 'Principal', value: principals.join(', ') },
        { label: 'Description', value: address.description },
        { label: 'Closures', value: address.closures },
      ]}
    />
  )
}
