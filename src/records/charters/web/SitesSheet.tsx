import { formatPhone } from '../../../contract/phones.ts'
import type { SiteSummary } from '../../../contract/references.ts'
import { STATUS_LABELS } from '../../../contract/status.ts'

import classes from './SitesSheet.module.css'

/** Print only: the sites of a charter as a table, because cards would fill many sheets. */
export const SitesSheet = ({ sites }: { sites: readonly SiteSummary[] }) => (
  <table className={classes.sheet}>
    <thead>
      <tr>
        <th scope="col">Site</th>
        <th scope="col">City</th>
        <th scope="col">Status</th>
        <th scope="col">Phone</th>
        <th scope="col">Principal</th>
        <th scope="col">Principal’s phone</th>
      </tr>
    </thead>
    <tbody>
      {sites.map(({ _id, displayName, address, status, principal, vacant }) => (
        <tr key={_id}>
          <th scope="row">{displayName}</th>
          <td>{[address.city, address.state].filter(Boolean).join(', ')}</td>
          <td>{STATUS_LABELS[status]}</td>
          <td>{address.phone && formatPhone(address.phone)}</td>
          <td>{principal?.name ?? (vacant.includes('Principal') ? 'Vacant' : '')}</td>
          <td>{principal?.phone && formatPhone(principal.phone)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)
