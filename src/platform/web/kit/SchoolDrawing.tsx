import { memo } from 'react'
import type { ReactNode } from 'react'

import { getDrawing } from './drawing.ts'
import type { Scene } from './drawing.ts'

import layoutClasses from './Layout.module.css'
import classes from './SchoolDrawing.module.css'

/** Where the ground begins, in an image of 320 x 200. Important content is between 80 and 240, since narrow cards crop the sides. */
const GROUND = 160

const Box = ({
  of,
  at: [x, y, width, height],
  round,
}: {
  of: string | undefined
  at: readonly [number, number, number, number]
  round?: number
}) => <rect className={of} x={x} y={y} width={width} height={height} {...(round ? { rx: round } : {})} />

/** Equally sized window panes in a row, as one path. */
const Panes = ({ xs, y, width = 14, height = 18 }: { xs: readonly number[]; y: number; width?: number; height?: number }) => (
  <path className={classes.glass} d={xs.map((x) => `M${x} ${y}h${width}v${height}h-${width}z`).join('')} />
)

const Door = ({ x = 146, width = 28, height = 34 }: { x?: number; width?: number; height?: number }) => (
  <>
    <Box of={classes.trim} at={[x, GROUND - height, width, height]} round={2} />
    <Panes xs={[x + 3, x + width / 2 + 1.5]} y={GROUND - height + 3} width={width / 2 - 4.5} height={height - 9} />
  </>
)

const Flag = ({ x, y }: { x: number; y: number }) => (
  <>
    <path className={classes.line} d={`M${x} ${y + 28}V${y}`} />
    <path className={classes.roof} d={`M${x + 1} ${y}c7-4 11 4 19 0v11c-8 4-12-4-19 0z`} />
  </>
)

const Round = ({ x, size }: { x: number; size: number }) => (
  <>
    <Box of={classes.trunk} at={[x - 2, GROUND - size, 4, size]} />
    <circle className={classes.leaf} cx={x} cy={GROUND - size * 1.55} r={size} />
    <path
      className={classes.leafShade}
      d={`M${x} ${GROUND - size * 2.55}a${size} ${size} 0 0 1 0 ${size * 2}a${size * 1.3} ${size * 1.3} 0 0 0 0-${size * 2}z`}
    />
  </>
)
const Pointed = ({ x, size }: { x: number; size: number }) => (
  <>
    <Box of={classes.trunk} at={[x - 2, GROUND - size * 0.6, 4, size * 0.6]} />
    <path className={classes.leaf} d={`M${x} ${GROUND - size * 3}l${size * 0.8} ${size * 2.55}h-${size * 1.6}z`} />
    <path className={classes.leafShade} d={`M${x} ${GROUND - size * 3}l${size * 0.8} ${size * 2.55}h-${size * 0.8}z`} />
  </>
)
const Bushes = ({ xs }: { xs: readonly number[] }) => (
  <path className={classes.leafShade} d={xs.map((x) => `M${x - 11} ${GROUND}a11 9 0 0 1 22 0z`).join('')} />
)

/** Trees next to the building. */
const GROVES: readonly ReactNode[] = [
  <>
    <Round x={38} size={21} />
    <Round x={72} size={14} />
    <Round x={284} size={23} />
  </>,
  <>
    <Pointed x={34} size={25} />
    <Pointed x={62} size={18} />
    <Round x={280} size={20} />
    <Pointed x={306} size={20} />
  </>,
  <>
    <Round x={48} size={19} />
    <Pointed x={270} size={20} />
    <Pointed x={294} size={27} />
  </>,
]

const Path = ({ from = 146, to = 174 }: { from?: number; to?: number }) => (
  <path className={classes.path} d={`M${from} ${GROUND}H${to}L${to + 32} 200H${from - 32}z`} />
)

const School = () => (
  <>
    <Path />
    <Box of={classes.wall} at={[78, 104, 164, 56]} />
    <Box of={classes.shade} at={[194, 104, 48, 56]} />
    <Box of={classes.roof} at={[72, 97, 176, 9]} round={2} />
    <Panes xs={[86, 106, 200, 220]} y={118} />
    <Box of={classes.wall} at={[126, 82, 68, 78]} />
    <path className={classes.roof} d="M116 86L160 50l44 36z" />
    <circle className={classes.wall} cx={160} cy={74} r={8} />
    <path className={classes.line} d="M160 70v4l3 2" />
    <Panes xs={[133, 153, 173]} y={96} height={16} />
    <Door />
    <Flag x={160} y={26} />
    <Bushes xs={[92, 116, 206, 230]} />
  </>
)

const Pavilion = () => (
  <>
    <Path from={138} to={182} />
    <Box of={classes.wall} at={[66, 98, 188, 62]} />
    <Box of={classes.shade} at={[206, 98, 48, 62]} />
    <path className={classes.roof} d="M58 100q102-46 204 0z" />
    <Box of={classes.trim} at={[58, 99, 204, 4]} />
    <Panes xs={[76, 98, 208, 230]} y={114} width={16} height={26} />
    <Panes xs={[126, 144, 162, 180]} y={110} width={14} height={10} />
    <Box of={classes.trim} at={[124, 124, 72, 36]} round={2} />
    <Panes xs={[128, 144, 163, 179]} y={128} width={13} height={26} />
    <Flag x={92} y={56} />
    <Bushes xs={[82, 106, 216, 240]} />
  </>
)

const Storeys = () => (
  <>
    <Path from={196} to={224} />
    <Box of={classes.wall} at={[68, 78, 124, 82]} />
    <Box of={classes.roof} at={[62, 70, 132, 9]} round={2} />
    <Panes xs={[78, 100, 122, 144, 166]} y={90} width={15} height={20} />
    <Box of={classes.shade} at={[68, 117, 124, 4]} />
    <Panes xs={[78, 100, 122, 144, 166]} y={128} width={15} height={20} />
    <Box of={classes.shade} at={[184, 92, 68, 68]} />
    <path className={classes.roof} d="M176 94L218 58l42 36z" />
    <circle className={classes.wall} cx={218} cy={82} r={7} />
    <Panes xs={[192, 211, 230]} y={102} height={14} />
    <Door x={196} />
    <Bushes xs={[82, 108, 134, 160, 246]} />
  </>
)

const Warehouse = () => (
  <>
    <path className={classes.path} d={`M70 ${GROUND}H250L282 200H38z`} />
    <Box of={classes.wall} at={[62, 92, 196, 68]} />
    <Box of={classes.shade} at={[206, 92, 52, 68]} />
    <path className={classes.roof} d="M56 94V72l50 14V72l50 14V72l50 14V72l58 16v6z" />
    <Box of={classes.trim} at={[62, 94, 196, 4]} />
    {[76, 126, 176].map((x) => (
      <g key={x}>
        <Box of={classes.roof} at={[x - 3, 110, 44, 50]} />
        <Box of={classes.path} at={[x, 114, 38, 46]} />
        <path className={classes.ground} d={[122, 131, 140, 149].map((y) => `M${x} ${y}h38v2h-38z`).join('')} />
      </g>
    ))}
    <Panes xs={[228]} y={108} width={20} height={14} />
    <Box of={classes.roof} at={[196, 132, 46, 30]} round={3} />
    <path className={classes.trim} d="M242 142h12l8 10v10h-20z" />
    <path className={classes.glass} d="M246 145h6l5 7h-11z" />
    {[208, 250].map((x) => (
      <circle key={x} className={classes.line} cx={x} cy={162} r={5} />
    ))}
  </>
)

const Online = () => (
  <>
    <Box of={classes.trim} at={[88, 44, 144, 98]} round={8} />
    <Box of={classes.sky} at={[95, 51, 130, 84]} round={3} />
    <circle className={classes.sun} cx={202} cy={69} r={8} />
    <path className={classes.leaf} d="M95 122q30-10 65 0t65 0v10a3 3 0 0 1-3 3H98a3 3 0 0 1-3-3z" />
    <Box of={classes.wall} at={[122, 96, 76, 30]} />
    <Box of={classes.roof} at={[118, 92, 84, 6]} round={1} />
    <Box of={classes.wall} at={[144, 84, 32, 42]} />
    <path className={classes.roof} d="M138 86l22-18 22 18z" />
    <Panes xs={[128, 184]} y={104} width={9} height={11} />
    <Box of={classes.trim} at={[153, 106, 14, 20]} round={1} />
    <path className={classes.wall} d="M78 142H242l14 14a4 4 0 0 1-3 6H67a4 4 0 0 1-3-6z" />
    <path className={classes.roof} d="M64 158h192a4 4 0 0 1-3 6H67a4 4 0 0 1-3-6z" />
    <Box of={classes.shade} at={[132, 145, 56, 8]} round={2} />
    <Box of={classes.roof} at={[36, 152, 40, 8]} round={2} />
    <Box of={classes.wall} at={[41, 144, 34, 8]} round={2} />
    <Box of={classes.trim} at={[38, 136, 34, 8]} round={2} />
    <path className={classes.roof} d="M262 140h24l-4 22h-16z" />
    <path className={classes.leaf} d="M274 140c-16-4-18-20-16-28 12 4 16 16 16 28zm0 0c0-16 6-26 16-30 4 10-2 26-16 30z" />
  </>
)

const Office = () => (
  <>
    <Path from={142} to={178} />
    <Box of={classes.wall} at={[202, 108, 58, 52]} />
    <Box of={classes.roof} at={[202, 102, 63, 8]} round={2} />
    <Panes xs={[212, 234]} y={122} width={16} height={16} />
    <Box of={classes.wall} at={[106, 56, 108, 104]} />
    <Box of={classes.shade} at={[186, 56, 28, 104]} />
    <Box of={classes.roof} at={[100, 48, 120, 10]} round={2} />
    <Panes xs={[116, 142, 168, 192]} y={68} width={14} height={16} />
    <Panes xs={[116, 142, 168, 192]} y={94} width={14} height={16} />
    <Box of={classes.roof} at={[132, 117, 56, 7]} round={2} />
    <Panes xs={[114, 194]} y={126} width={14} height={20} />
    <Door height={34} />
    <Flag x={86} y={62} />
    <path className={classes.line} d={`M86 80V${GROUND}`} />
    <Bushes xs={[118, 202, 236]} />
  </>
)

const Partners = () => (
  <>
    <Path />
    <Box of={classes.wall} at={[62, 96, 76, 64]} />
    <path className={classes.roof} d="M54 98l46-36 46 36z" />
    <circle className={classes.wall} cx={100} cy={86} r={6} />
    <Panes xs={[72, 93, 114]} y={108} />
    <Panes xs={[72, 114]} y={136} height={16} />
    <Box of={classes.trim} at={[92, 134, 16, 26]} round={2} />
    <Box of={classes.shade} at={[182, 74, 76, 86]} />
    <Box of={classes.trim} at={[177, 67, 86, 9]} round={2} />
    <Panes xs={[192, 213, 234]} y={86} height={16} />
    <Panes xs={[192, 213, 234]} y={110} height={16} />
    <Box of={classes.roof} at={[210, 134, 20, 26]} round={2} />
    <Panes xs={[192, 236]} y={136} width={12} height={14} />
    <Box of={classes.wall} at={[136, 104, 48, 24]} />
    <Box of={classes.roof} at={[136, 98, 48, 7]} />
    <Panes xs={[141, 155, 169]} y={109} width={10} height={13} />
    <Bushes xs={[76, 246]} />
  </>
)

const Campus = () => (
  <>
    <Path />
    <Box of={classes.wall} at={[70, 112, 180, 48]} />
    <Box of={classes.shade} at={[210, 112, 40, 48]} />
    <path className={classes.roof} d="M62 114l12-18h172l12 18z" />
    <Panes xs={[80, 100, 204, 224]} y={124} />
    <Box of={classes.wall} at={[118, 100, 84, 60]} />
    <path className={classes.roof} d="M112 102l48-22 48 22z" />
    <Box of={classes.wall} at={[144, 52, 32, 34]} />
    <Box of={classes.shade} at={[164, 52, 12, 34]} />
    <path className={classes.roof} d="M140 54l20-26 20 26z" />
    <circle className={classes.glass} cx={160} cy={66} r={7} />
    <path className={classes.line} d="M160 62v4h3" />
    <path className={classes.wall} d={[126, 138, 178, 190].map((x) => `M${x} 106h5v54h-5z`).join('')} />
    <path className={classes.shade} d={[131, 143, 183, 195].map((x) => `M${x} 106h2v54h-2z`).join('')} />
    <Door />
    <Bushes xs={[84, 106, 214, 238]} />
  </>
)

const SCENES: Record<Scene, () => ReactNode> = {
  school: School,
  pavilion: Pavilion,
  storeys: Storeys,
  warehouse: Warehouse,
  online: Online,
  office: Office,
  partners: Partners,
  campus: Campus,
}

interface SchoolDrawingProps {
  /** A facility type, or 'campus' for records with several locations. */
  type: string | null
  /** The record's `_id`, which determines colors, trees and orientation, so that a page of them looks varied. */
  id: string
}

/** The default school image: inline SVG, so that it follows light and dark mode and needs no request. Hidden from screen readers. */
export const SchoolDrawing = memo(({ type, id }: SchoolDrawingProps) => {
  const { scene, hue, grove, isMirrored } = getDrawing(type, id)
  const Building = SCENES[scene]
  return (
    <svg
      className={`${layoutClasses.block} ${layoutClasses.fullWidth} ${classes.drawing}`}
      viewBox="0 0 320 200"
      preserveAspectRatio="xMidYMid slice"
      data-scene={scene}
      data-hue={hue}
      aria-hidden
      focusable="false"
    >
      <g {...(isMirrored ? { transform: 'translate(320) scale(-1 1)' } : {})}>
        <rect className={classes.sky} width="320" height="200" />
        <circle className={classes.sun} cx="256" cy="48" r="17" />
        <path
          className={classes.cloud}
          d="M36 62a9 9 0 0 1 4-17 14 14 0 0 1 26-4 11 11 0 0 1 14 21zM214 36a6 6 0 0 1 3-11 9 9 0 0 1 17-2 7 7 0 0 1 8 13z"
        />
        <path className={classes.far} d="M0 148C40 112 88 108 132 132S236 104 320 128V166H0z" />
        <rect className={classes.ground} y={GROUND} width="320" height="40" />
        {scene === 'online' ? null : GROVES[grove]}
        <Building />
      </g>
    </svg>
  )
})
SchoolDrawing.displayName = 'SchoolDrawing'
