import layoutClasses from '../../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../../platform/web/kit/Text.module.css'
import classes from './Reasons.module.css'

/** Why two records are probably one: 'Same phone'. */
export const Reasons = ({ reasons }: { reasons: readonly string[] }) => (
  <ul aria-label="Reasons" className={`${layoutClasses.wrappingRow} ${layoutClasses.gap6} ${layoutClasses.topMargin6}`}>
    {reasons.map((reason) => (
      <li key={reason} className={`${layoutClasses.waitGround} ${textClasses.smallFont} ${textClasses.strong} ${classes.reason}`}>
        {reason}
      </li>
    ))}
  </ul>
)
