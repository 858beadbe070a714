/** A real city, with one of its ZIP codes, its county, an area code and its approximate coordinates. Streets and numbers are invented. */
export interface Place {
  readonly city: string
  readonly state: State
  readonly zip: string
  readonly county: string
  readonly areaCode: string
  readonly latitude: number
  readonly longitude: number
}

export type State = 'CA' | 'MI' | 'OH' | 'SC' | 'TX'
export const REGION_OF: Record<State, string> = { CA: 'California', MI: 'Michigan', OH: 'Ohio', SC: 'South Carolina', TX: 'Texas' }

type Line = readonly [city: string, zip: string, county: string, areaCode: string, latitude: number, longitude: number]
const area = (state: State, lines: readonly Line[]): readonly Place[] =>
  lines.map(([city, zip, county, areaCode, latitude, longitude]) => ({ city, state, zip, county, areaCode, latitude, longitude }))

/** The areas of the network: neighboring cities under one Area Superintendent. */
export const AREAS = {
  delta: area('CA', [
    ['Lodi', '95242', 'San Joaquin', '209', 38.1308, -121.3345],
    ['Stockton', '95207', 'San Joaquin', '209', 38.0024, -121.3238],
    ['Tracy', '95376', 'San Joaquin', '209', 37.7383, -121.4345],
    ['Manteca', '95336', 'San Joaquin', '209', 37.8134, -121.2132],
    ['Galt', '95632', 'Sacramento', '209', 38.2691, -121.3],
    ['Modesto', '95350', 'Stanislaus', '209', 37.6746, -121.0113],
    ['Turlock', '95380', 'Stanislaus', '209', 37.4888, -120.8535],
    ['Ceres', '95307', 'Stanislaus', '209', 37.5833, -120.9496],
    ['Merced', '95340', 'Merced', '209', 37.2983, -120.4649],
  ]),
  capital: area('CA', [
    ['Sacramento', '95822', 'Sacramento', '916', 38.5091, -121.4935],
    ['Elk Grove', '95624', 'Sacramento', '916', 38.4232, -121.3599],
    ['North Highlands', '95660', 'Sacramento', '916', 38.6707, -121.3781],
    ['Roseville', '95678', 'Placer', '916', 38.7609, -121.2867],
    ['Folsom', '95630', 'Sacramento', '916', 38.6709, -121.1529],
    ['Yuba City', '95991', 'Sutter', '530', 39.1051, -121.6202],
    ['Chico', '95926', 'Butte', '530', 39.7458, -121.8444],
    ['Redding', '96001', 'Shasta', '530', 40.5605, -122.4116],
    ['Woodland', '95695', 'Yolo', '530', 38.6816, -121.8052],
  ]),
  bay: area('CA', [
    ['Fremont', '94538', 'Alameda', '510', 37.5308, -121.9712],
    ['Hayward', '94541', 'Alameda', '510', 37.674, -122.0894],
    ['San Leandro', '94577', 'Alameda', '510', 37.7205, -122.1587],
    ['Vallejo', '94590', 'Solano', '707', 38.1053, -122.2474],
    ['Santa Rosa', '95401', 'Sonoma', '707', 38.4432, -122.7547],
    ['Napa', '94558', 'Napa', '707', 38.4549, -122.2564],
    ['Concord', '94520', 'Contra Costa', '925', 37.9823, -122.0362],
    ['San Jose', '95112', 'Santa Clara', '408', 37.3476, -121.887],
    ['Gilroy', '95020', 'Santa Clara', '408', 37.0139, -121.5773],
  ]),
  valley: area('CA', [
    ['Fresno', '93722', 'Fresno', '559', 36.7918, -119.8801],
    ['Clovis', '93612', 'Fresno', '559', 36.8149, -119.7106],
    ['Visalia', '93277', 'Tulare', '559', 36.3114, -119.3065],
    ['Hanford', '93230', 'Kings', '559', 36.3314, -119.6491],
    ['Madera', '93637', 'Madera', '559', 36.9403, -120.082],
    ['Porterville', '93257', 'Tulare', '559', 36.0686, -119.0315],
    ['Bakersfield', '93309', 'Kern', '661', 35.3384, -119.0627],
    ['Delano', '93215', 'Kern', '661', 35.7715, -119.2459],
  ]),
  coast: area('CA', [
    ['Salinas', '93901', 'Monterey', '831', 36.6677, -121.6596],
    ['Santa Cruz', '95060', 'Santa Cruz', '831', 37.0313, -122.1198],
    ['Watsonville', '95076', 'Santa Cruz', '831', 36.9102, -121.7569],
    ['San Luis Obispo', '93401', 'San Luis Obispo', '805', 35.2635, -120.6509],
    ['Santa Maria', '93454', 'Santa Barbara', '805', 34.9545, -120.4325],
    ['Lompoc', '93436', 'Santa Barbara', '805', 34.6583, -120.4506],
    ['Oxnard', '93030', 'Ventura', '805', 34.2141, -119.175],
    ['Ventura', '93003', 'Ventura', '805', 34.2846, -119.2222],
  ]),
  inland: area('CA', [
    ['Riverside', '92501', 'Riverside', '951', 33.9924, -117.3694],
    ['Moreno Valley', '92553', 'Riverside', '951', 33.9157, -117.2351],
    ['Hemet', '92543', 'Riverside', '951', 33.7416, -116.973],
    ['San Bernardino', '92404', 'San Bernardino', '909', 34.1426, -117.2606],
    ['Fontana', '92335', 'San Bernardino', '909', 34.0794, -117.4551],
    ['Ontario', '91761', 'San Bernardino', '909', 34.0316, -117.6187],
    ['Victorville', '92392', 'San Bernardino', '760', 34.4802, -117.4082],
    ['Palm Springs', '92262', 'Riverside', '760', 33.8414, -116.5347],
    ['Indio', '92201', 'Riverside', '760', 33.7207, -116.2168],
  ]),
  south: area('CA', [
    ['Lancaster', '93534', 'Los Angeles', '661', 34.6909, -118.1491],
    ['Palmdale', '93550', 'Los Angeles', '661', 34.4133, -118.0917],
    ['Long Beach', '90805', 'Los Angeles', '562', 33.8635, -118.1801],
    ['Pomona', '91766', 'Los Angeles', '909', 34.0418, -117.7569],
    ['Santa Ana', '92701', 'Orange', '714', 33.7523, -117.8541],
    ['Anaheim', '92801', 'Orange', '714', 33.8428, -117.9546],
    ['Chula Vista', '91910', 'San Diego', '619', 32.6371, -117.0676],
    ['El Cajon', '92020', 'San Diego', '619', 32.7928, -116.9665],
    ['Escondido', '92025', 'San Diego', '760', 33.1101, -117.07],
    ['Oceanside', '92054', 'San Diego', '760', 33.2072, -117.3573],
    ['San Marcos', '92069', 'San Diego', '760', 33.1444, -117.1697],
  ]),
  lakes: area('MI', [
    ['Detroit', '48219', 'Wayne', '313', 42.426, -83.2495],
    ['Dearborn', '48126', 'Wayne', '313', 42.3349, -83.1801],
    ['Flint', '48503', 'Genesee', '810', 43.0128, -83.6914],
    ['Port Huron', '48060', 'St. Clair', '810', 42.9958, -82.4599],
    ['Pontiac', '48342', 'Oakland', '248', 42.6439, -83.2792],
    ['Warren', '48089', 'Macomb', '586', 42.4685, -82.9974],
    ['Ypsilanti', '48197', 'Washtenaw', '734', 42.2325, -83.6336],
    ['Saginaw', '48601', 'Saginaw', '989', 43.4047, -83.9156],
  ]),
  west: area('MI', [
    ['Grand Rapids', '49503', 'Kent', '616', 42.9659, -85.6527],
    ['Holland', '49423', 'Ottawa', '616', 42.7692, -86.1164],
    ['Muskegon', '49442', 'Muskegon', '231', 43.2329, -86.1885],
    ['Traverse City', '49684', 'Grand Traverse', '231', 44.694, -85.6763],
    ['Kalamazoo', '49001', 'Kalamazoo', '269', 42.2736, -85.5457],
    ['Battle Creek', '49015', 'Calhoun', '269', 42.3028, -85.2128],
    ['Lansing', '48910', 'Ingham', '517', 42.7008, -84.549],
    ['Jackson', '49201', 'Jackson', '517', 42.2545, -84.3875],
  ]),
  erie: area('OH', [
    ['Toledo', '43606', 'Lucas', '419', 41.6712, -83.606],
    ['Sandusky', '44870', 'Erie', '419', 41.4349, -82.7063],
    ['Cleveland', '44109', 'Cuyahoga', '216', 41.4458, -81.7033],
    ['Lorain', '44052', 'Lorain', '440', 41.4578, -82.171],
    ['Akron', '44310', 'Summit', '330', 41.1075, -81.5006],
    ['Canton', '44702', 'Stark', '330', 40.8027, -81.3739],
    ['Youngstown', '44505', 'Mahoning', '330', 41.1257, -80.6277],
  ]),
  river: area('OH', [
    ['Columbus', '43211', 'Franklin', '614', 40.0118, -82.9732],
    ['Dayton', '45405', 'Montgomery', '937', 39.7899, -84.2135],
    ['Springfield', '45505', 'Clark', '937', 39.9106, -83.7856],
    ['Cincinnati', '45205', 'Hamilton', '513', 39.1104, -84.5757],
    ['Hamilton', '45011', 'Butler', '513', 39.4059, -84.5221],
    ['Zanesville', '43701', 'Muskingum', '740', 39.9274, -82.0041],
    ['Mansfield', '44903', 'Richland', '419', 40.7623, -82.5254],
  ]),
  upstate: area('SC', [
    ['Greenville', '29607', 'Greenville', '864', 34.8285, -82.3516],
    ['Spartanburg', '29301', 'Spartanburg', '864', 34.9352, -81.9654],
    ['Anderson', '29621', 'Anderson', '864', 34.5261, -82.6304],
    ['Greenwood', '29646', 'Greenwood', '864', 34.1758, -82.1562],
    ['Rock Hill', '29730', 'York', '803', 34.9151, -81.0129],
  ]),
  lowcountry: area('SC', [
    ['Columbia', '29203', 'Richland', '803', 34.0635, -81.0265],
    ['Sumter', '29150', 'Sumter', '803', 33.9137, -80.3542],
    ['Aiken', '29801', 'Aiken', '803', 33.553, -81.7194],
    ['Florence', '29501', 'Florence', '843', 34.1838, -79.7728],
    ['Charleston', '29407', 'Charleston', '843', 32.7993, -80.006],
    ['Myrtle Beach', '29577', 'Horry', '843', 33.6994, -78.9137],
  ]),
  hill: area('TX', [
    ['Austin', '78745', 'Travis', '512', 30.2063, -97.7956],
    ['San Marcos', '78666', 'Hays', '512', 29.8754, -97.9404],
    ['Waco', '76710', 'McLennan', '254', 31.535, -97.1899],
    ['Killeen', '76541', 'Bell', '254', 31.1164, -97.7278],
    ['Temple', '76501', 'Bell', '254', 31.0895, -97.3343],
    ['San Antonio', '78228', 'Bexar', '210', 29.4589, -98.5699],
    ['New Braunfels', '78130', 'Comal', '830', 29.7229, -98.0742],
  ]),
  gulf: area('TX', [
    ['Houston', '77036', 'Harris', '713', 29.6984, -95.5405],
    ['Pasadena', '77502', 'Harris', '713', 29.6789, -95.1982],
    ['Corpus Christi', '78411', 'Nueces', '361', 27.7311, -97.3877],
    ['Victoria', '77901', 'Victoria', '361', 28.809, -96.9993],
    ['Beaumont', '77706', 'Jefferson', '409', 30.0948, -94.1648],
    ['Brownsville', '78520', 'Cameron', '956', 25.9337, -97.5174],
    ['Laredo', '78041', 'Webb', '956', 27.5569, -99.4907],
    ['McAllen', '78501', 'Hidalgo', '956', 26.2154, -98.2359],
  ]),
  plains: area('TX', [
    ['Fort Worth', '76110', 'Tarrant', '817', 32.7065, -97.3375],
    ['Dallas', '75228', 'Dallas', '214', 32.825, -96.6784],
    ['Abilene', '79601', 'Taylor', '325', 32.4682, -99.7182],
    ['Lubbock', '79411', 'Lubbock', '806', 33.5704, -101.8626],
    ['Amarillo', '79106', 'Potter', '806', 35.1977, -101.8949],
    ['El Paso', '79925', 'El Paso', '915', 31.7814, -106.3613],
    ['Midland', '79701', 'Midland', '432', 31.9896, -102.0626],
    ['Odessa', '79762', 'Ector', '432', 31.889, -102.3548],
  ]),
} as const satisfies Record<string, readonly Place[]>

export type Area = keyof typeof AREAS
