---@meta
-- The schema of scenes for editors with the Lua language server. Written by `mote schema --lua`; edit the
-- descriptions in the sources, not this file.

---@alias mote.number number|string a number in the scene's units, or a text with a unit: "220 km/s"
---@alias mote.vector (number|string)[] three of them, {x, y, z}
---@alias mote.bodies mote.body|mote.made|mote.bodies[] a body, a generator, a group, or a list of these

---@class mote.made bodies made by a function of mote

---@class mote.item an item of a list, made by a function of mote
---@class mote.solid an obstacle made by a function of mote
---@alias mote.solids mote.solid|mote.solids[]

---@class (exact) mote.param
---@field min? number smallest value
---@field max? number largest value
---@field unit? string kind of quantity: "length", "time", "mass", "velocity", "angle", ...
---@field doc? string one-line description
---@field choices? string[] allowed texts

---The argument of hooks, which are functions that run between steps.
---@class mote.sim
---@field step integer
---@field time number
---@field dt number
---@field count integer number of bodies
---@field kinetic number
---@field potential number
---@field energy number
---@field energy_error number relative to the start
---@field virial_ratio number
---@field temperature number k T, an energy; in scenes with pair forces or a thermostat
---@field pressure number in a closed domain
---@field displacement number mean square displacement, with series = { displacement = true }
---@field mass number
---@field fastest number largest speed
---@field radius_10 number
---@field radius_50 number
---@field radius_90 number
---@field momentum number[]
---@field angular_momentum number[]
---@field center_of_mass number[]
---@field data table state that hooks keep, stored in checkpoints
---@field body fun(self: mote.sim, id: integer|string): table
---@field add fun(self: mote.sim, bodies: mote.bodies): any adds bodies; returns the id of a single body, else a list
---@field remove fun(self: mote.sim, id: integer|string) removes a body
---@field get fun(self: mote.sim, path: string): any
---@field set fun(self: mote.sim, path: string, value: any)
---@field row fun(self: mote.sim, file: string, columns: table)
---@field snapshot fun(self: mote.sim)
---@field picture fun(self: mote.sim, file: string)
---@field log fun(self: mote.sim, text: string)
---@field stop fun(self: mote.sim, reason: string) ends the run successfully
---@field fail fun(self: mote.sim, reason: string) ends the run as unhealthy

---Values with units: `units.km_s(220)` is "220 km/s", `units.kpc { 8, 0, 0 }` a list of three.
---@type table<string, fun(value: any): any>
units = {}

---The table that another Lua file in the folder of the scene returns.
---@param path string
---@return any
function include(path) end

---A value that `--set`, the window and sweeps can change.
---@generic T
---@param name string
---@param default T
---@param options? mote.param
---@return T
function param(name, default, options) end

---The same for a value that may change while the scene runs; the script can only pass it on.
---@generic T
---@param name string
---@param default T
---@param options? mote.param
---@return T
function live(name, default, options) end

---The bodies, with positions, velocities and masses multiplied by factors.
---@param bodies mote.bodies
---@param by { length: number?, velocity: number?, mass: number? } factors
---@return mote.made
function scale(bodies, by) end

---The bodies, rotated about an axis through the origin.
---@param bodies mote.bodies
---@param turn { axis: mote.vector?, angle: mote.number }
---@return mote.made
function rotate(bodies, turn) end

---The bodies, with a rigid rotation about the origin added to their velocities.
---@param bodies mote.bodies
---@param rotation { axis: mote.vector?, rate: mote.number }
---@return mote.made
function spin(bodies, rotation) end

---The bodies, translated.
---@param bodies mote.bodies
---@param by mote.vector added to positions
---@return mote.made
function translate(bodies, by) end

---The bodies, with a velocity added.
---@param bodies mote.bodies
---@param by mote.vector added to velocities
---@return mote.made
function boost(bodies, by) end

---The bodies, rotated about the x axis, then about the z axis, then translated.
---@param bodies mote.bodies
---@param to { inclination: mote.number?, node: mote.number?, position: mote.vector?, velocity: mote.vector? }
---@return mote.made
function place(bodies, to) end

---A copy of the bodies that can be changed without affecting the original.
---@generic T
---@param bodies T
---@return T
function copy(bodies) end

---The table that a scene returns. A key without a default may be left out.
---@class (exact) mote.scene
---@field title? string one line, shown everywhere (default "")
---@field about? string what the scene shows and what it conserves (default "")
---@field units? "nbody"|"si"|"solar"|"galactic"|"molecular" nbody: G = 1; si: m, s, kg; solar: au, day, solar mass; galactic: kpc, 1e10 solar masses, km/s; molecular: nm, ps, dalton, proton charges (default "nbody")
---@field seed? integer seed of all random numbers of the scene (0 .. 9007199254740992, default 1)
---@field precision? "auto"|"single"|"mixed"|"double" number type of state and forces; auto: double up to 1,024 bodies, single above (default "auto")
---@field integrator? mote.integrator
---@field domain? mote.domain
---@field radial_distribution? mote.radial_distribution
---@field grains? mote.grains
---@field lennard_jones? mote.lennard_jones
---@field coulomb? mote.coulomb
---@field gravity? mote.gravity
---@field hand? mote.hand
---@field fluid? mote.fluid
---@field soft? mote.soft
---@field thermostat? mote.thermostat
---@field stop? mote.stop
---@field series? mote.series
---@field snapshots? mote.snapshots
---@field checkpoints? mote.checkpoints
---@field health? mote.health
---@field view? mote.view
---@field bodies mote.bodies bodies, generators and groups
---@field obstacles? mote.solids solids that bodies collide with
---@field species? table<string, mote.species>
---@field axles? mote.axle|mote.axle[] axles on which obstacles turn
---@field grain_pairs? mote.grain_pair[] contacts between two species of grains
---@field pairs? mote.pair[] parameters between two species
---@field bonds? { kind: string, bodies: integer[][] }[] pairs of bodies by id, from 0
---@field bond_kinds? table<string, mote.bond_kind> kinds of bonds by name
---@field angles? { kind: string, bodies: integer[][] }[] three bodies each, the vertex in the middle
---@field angle_kinds? table<string, mote.angle_kind> kinds of angles by name
---@field fields? mote.item|mote.item[] external fields
---@field emitters? mote.emitter|mote.emitter[] sources of fluid
---@field drains? mote.drain|mote.drain[] sinks of fluid
---@field on_start? fun(sim: mote.sim)
---@field on_step? mote.on_step|mote.on_step[]
---@field on_time? mote.on_time|mote.on_time[]
---@field on_end? fun(sim: mote.sim)
---@field on_unhealthy? fun(sim: mote.sim)

---Time integration: an integrator, its time step, and its own options.
---@class (exact) mote.integrator
---@field [1]? "leapfrog"|"yoshida4"|"yoshida6"|"ias15"|"hermite" the integrator: leapfrog of order 2, yoshida4 of order 4, yoshida6 of order 6, ias15 of order 15, hermite of order 4 (default "leapfrog")
---@field name? "leapfrog"|"yoshida4"|"yoshida6"|"ias15"|"hermite" the integrator: leapfrog of order 2, yoshida4 of order 4, yoshida6 of order 6, ias15 of order 15, hermite of order 4 (default "leapfrog")
---@field dt? mote.number time step, with courant the largest allowed; ias15, hermite: longest step; without it the integrator alone limits steps (time, > 0)
---@field courant? number (leapfrog, yoshida4, yoshida6) Courant number: time step as a fraction of a fluid's largest stable step (CFL); without it all steps are dt (> 0 and <= 1)
---@field every? integer (leapfrog, yoshida4, yoshida6) with courant: steps between updates of the time step (>= 1, default 20)
---@field tolerance? number (ias15) steps are (5040 tolerance)^(1/7) of the shortest timescale of the motion; errors of 1e-9 are below round-off (> 0 and <= 1e-06, default 1e-09)
---@field eta? number (hermite) steps are this part of the timescale of each body; the square root of the eta of Aarseth. Half of it: errors a sixteenth (1e-06 .. 1, default 0.05)

---The simulation box of short-range forces. Leave the table out for open space.
---@class (exact) mote.domain
---@field [1]? mote.vector length along each axis; ignored along open ones (length, >= 0, default {0, 0, 0})
---@field size? mote.vector length along each axis; ignored along open ones (length, >= 0, default {0, 0, 0})
---@field center? mote.vector centre of the box (length, default {0, 0, 0})
---@field boundary? "periodic"|"wall"|"open" boundary of all axes: periodic, a wall at either end, or open (default "periodic")
---@field x? "periodic"|"wall"|"open" boundary along x, if it differs
---@field y? "periodic"|"wall"|"open" boundary along y, if it differs
---@field z? "periodic"|"wall"|"open" boundary along z, if it differs
---@field file? string XYZ file in the scene's folder whose box gives size and center: the Lattice of extended XYZ, starting at its Origin or at 0; or the three lengths of a NIST configuration or of a comment with nothing else, centred on the origin

---The radial distribution function g(r) of bodies in a closed domain, averaged over samples of a headless run: radial_distribution.csv, with the mean number of neighbours within each radius.
---@class (exact) mote.radial_distribution
---@field range mote.number largest distance; at most half of the shortest periodic length of the domain (length, > 0)
---@field bins? integer number of shells of equal width up to range (1 .. 10000, default 200)
---@field every? integer steps between samples (1 .. 1e+15, default 100)
---@field from? integer step of the first sample; exclude equilibration, such as melting (0 .. 1e+15, default 0)
---@field species? boolean also one column for each pair of species, of which there may be 8 (default false)

---An axle, in the list `axles`: the obstacles of its name are one wheel, which the forces of bodies turn.
---@class (exact) mote.axle
---@field name string name of its obstacles
---@field inertia number moment of inertia of the wheel about the axle, in mass length^2 (> 0)
---@field point? mote.vector a point on the axle (length, default {0, 0, 0})
---@field axis? mote.vector direction of the axle, of any length but zero (default {0, 0, 1})
---@field angular_velocity? mote.number at the start, about the axis, in radians / time (angular velocity, default 0)
---@field torque? number torque of a motor about the axis, in force length (default 0)
---@field brake? number torque of a brake or generator by angular velocity, in force length time (>= 0, default 0)

---Makes bodies spheres that touch each other and obstacles: springs and dashpots, friction, rolling resistance and adhesion. Without this table bodies are points.
---@class (exact) mote.grains
---@field radius mote.number radius of bodies without their own `radius` (length, > 0)
---@field spread? number relative spread of that radius: uniform between radius (1 - spread) and radius (1 + spread) (0 .. 0.9, default 0)
---@field density? mote.number density of grains: sets the masses of all bodies from their radii; without it each body needs a `mass` (density, > 0)
---@field model? "hertz"|"linear" hertz: elastic spheres (Hertz, Mindlin); linear: springs of constant stiffness (default "hertz")
---@field young_modulus? mote.number Young's modulus of the grains, for hertz; a lower value than the real one allows longer steps, as long as overlaps stay small (pressure, > 0, default 1e+07)
---@field poisson? number Poisson's ratio of the grains, for hertz (0 .. 0.5, default 0.3)
---@field stiffness? mote.number normal force over overlap, for linear (stiffness, > 0, default 10000)
---@field stiffness_ratio? number tangential stiffness over normal stiffness, for linear (> 0 and <= 1, default 0.2857142857142857)
---@field restitution? number speed after a head-on collision over the speed before (0 .. 1, default 0.8)
---@field friction? number Coulomb's coefficient (>= 0, default 0.5)
---@field rolling_friction? number largest torque against rolling, over normal force and radius (0 .. 0.5, default 0)
---@field rolling_damping? number damping of rolling oscillations, as a fraction of critical damping (0 .. 1, default 0.3)
---@field cohesion? mote.number work of adhesion; the pull-off force of two grains is 2 pi times it times their reduced radius (surface energy, >= 0, default 0)

---Contacts of grains of two species that override the rules of mixing, in `grain_pairs`.
---@class (exact) mote.grain_pair
---@field species string|(string)[] names of the two species, { "a", "b" }
---@field restitution? number speed after a head-on collision over the speed before; between these species (0 .. 1)
---@field friction? number Coulomb's coefficient; between these species (>= 0)
---@field rolling_friction? number largest torque against rolling, over normal force and radius; between these species (0 .. 0.5)
---@field rolling_damping? number damping of rolling oscillations, as a fraction of critical damping; between these species (0 .. 1)
---@field cohesion? mote.number work of adhesion; the pull-off force of two grains is 2 pi times it times their reduced radius; between these species (surface energy, >= 0)

---Lennard-Jones forces between bodies, uniform or by species. Leave the table out for none.
---@class (exact) mote.lennard_jones
---@field epsilon? mote.number depth of the well (energy, >= 0, default 1)
---@field sigma? mote.number distance at which the energy is zero (length, > 0, default 1)
---@field cutoff? mote.number distance beyond which the force is zero; by default 2.5 times the largest sigma (length, > 0)
---@field truncation? "plain"|"shifted"|"switched" plain: cut off; shifted: energy shifted to zero there; switched: smoothly to zero (default "shifted")
---@field switch_from? mote.number distance at which switching begins; by default 0.9 of the cutoff (length, > 0)
---@field skin? mote.number margin of the neighbour lists beyond the cutoff; affects speed and round-off only; 0 rebuilds them at every step; by default an eighth of the cutoff (length, >= 0)

---Coulomb forces between charged species: cut off in a medium (reaction field), screened (Yukawa), or of all charges and their periodic images (solver = "multipole"). Needs lennard_jones.
---@class (exact) mote.coulomb
---@field constant? number energy of two unit charges at unit distance; by default that of the units (>= 0)
---@field cutoff? mote.number by default that of lennard_jones (length, > 0)
---@field dielectric? number relative permittivity of the medium beyond the cutoff; by default a conductor (>= 1)
---@field screening_length? mote.number of charges in an electrolyte or a plasma, whose potential falls as exp(-r / screening_length) / r (Yukawa); by default none (length, > 0)
---@field solver? "cutoff"|"multipole" cutoff: pairs within it; multipole: all charges, by expansions, with all periodic images in a domain that is periodic along all axes (default "cutoff")
---@field accuracy? number of multipole: relative error of 99 % of the forces; by default 0.001 (1e-07 .. 0.1)

---Lennard-Jones parameters of two species that override the mixing rules, in `pairs`.
---@class (exact) mote.pair
---@field species string|(string)[] names of the two species, { "a", "b" }
---@field epsilon? mote.number depth of the well (energy, >= 0)
---@field sigma? mote.number distance at which the energy is zero (length, > 0)
---@field cutoff? mote.number distance beyond which the force is zero (length, > 0)

---A kind of bond, in `bond_kinds = { name = { ... } }`: a spring, with or without a dashpot, a FENE bond, as in polymers, or a rod.
---@class (exact) mote.bond_kind
---@field form? "harmonic"|"fene"|"rigid" harmonic: a spring, k/2 (r - length)^2; fene: finitely extensible, -k/2 R^2 ln(1 - (r/R)^2) with R the extension; rigid: a rod of fixed length, with the leapfrog integrator (default "harmonic")
---@field stiffness? mote.number k: energy over length squared; required by harmonic and fene (stiffness, > 0)
---@field length? mote.number rest length, or that of a rod; required by harmonic and rigid (length, >= 0)
---@field extension? mote.number maximum length; required by fene (length, > 0)
---@field damping? mote.number of a dashpot along the bond: force per relative velocity of its ends (damping, >= 0, default 0)

---A kind of angle between two bonds, in `angle_kinds = { name = { ... } }`.
---@class (exact) mote.angle_kind
---@field form? "harmonic"|"cosine" harmonic: k/2 (theta - angle)^2; cosine: k (1 - cos(theta - angle)) (default "harmonic")
---@field stiffness mote.number k, for angles in radians (energy, > 0)
---@field angle? mote.number rest angle (angle, 0 .. 180, default 180)

---Newtonian gravity between all bodies, by direct sums or multipole expansions. Leave the table out for none.
---@class (exact) mote.gravity
---@field softening? mote.number Plummer softening length; 0 for point masses (length, >= 0, default 0)
---@field constant? mote.number gravitational constant G; by default that of the units (gravitational constant, >= 0)
---@field solver? "auto"|"direct"|"multipole" direct sums over all pairs, expansions with an error that is asked for, or what is better for this number of bodies (default "auto")
---@field accuracy? number of multipole: the relative error that 99 % of the forces stay below; 1e-3 if it is not given (1e-07 .. 0.1)
---@field order? integer of multipole: order of the expansions, for experts; by default it follows from the accuracy (3 .. 8)
---@field leaf? integer of multipole: most bodies of a leaf of the tree, for experts; by default it follows from the order (1 .. 4096)

---A field given by formulas, in `fields`; see [external fields](#external-fields).
---@class mote.field
---@field acceleration (string|number)[] three expressions, for x, y and z, in velocity / time: text or numbers, without units
---@field potential? string expression for the potential energy per mass; without it energy is not conserved

---A field given by formulas, in `fields`; see [external fields](#external-fields).
---@param options mote.field
---@return mote.item
function field(options) end

---The same acceleration everywhere, in `fields`.
---@class (exact) mote.uniform
---@field acceleration mote.vector acceleration (acceleration)

---The same acceleration everywhere, in `fields`.
---@param options mote.uniform
---@return mote.item
function uniform(options) end

---The gravity of a fixed point mass, in `fields`.
---@class (exact) mote.point_mass
---@field mass mote.number mass (mass, >= 0)
---@field softening? mote.number Plummer softening length (length, >= 0, default 0)
---@field position? mote.vector position of the centre (length, default {0, 0, 0})

---The gravity of a fixed point mass, in `fields`.
---@param options mote.point_mass
---@return mote.item
function point_mass(options) end

---A dark halo with a flat rotation curve (Binney & Tremaine 2008, eq. 2.71a), in `fields`.
---@class (exact) mote.logarithmic_halo
---@field speed mote.number circular speed far outside the core (velocity, >= 0)
---@field core_radius? mote.number core radius (length, >= 0, default 0)
---@field flattening? number axis ratio of the potential, z to x; below 0.707 the density is negative somewhere (> 0 and <= 10, default 1)
---@field position? mote.vector position of the centre (length, default {0, 0, 0})

---A dark halo with a flat rotation curve (Binney & Tremaine 2008, eq. 2.71a), in `fields`.
---@param options mote.logarithmic_halo
---@return mote.item
function logarithmic_halo(options) end

---The gravity of a thick disc about the z axis (Miyamoto & Nagai 1975), in `fields`.
---@class (exact) mote.miyamoto_nagai
---@field mass mote.number mass (mass, >= 0)
---@field scale_length mote.number scale length a; 0: a Plummer sphere (length, >= 0)
---@field scale_height mote.number scale height b; 0: an infinitely thin disc (length, >= 0)
---@field position? mote.vector position of the centre (length, default {0, 0, 0})

---The gravity of a thick disc about the z axis (Miyamoto & Nagai 1975), in `fields`.
---@param options mote.miyamoto_nagai
---@return mote.item
function miyamoto_nagai(options) end

---A spring along each axis, in `fields`.
---@class (exact) mote.harmonic_trap
---@field rates mote.vector angular frequency of the oscillation along each axis, in radians / time (angular velocity, >= 0)
---@field position? mote.vector position of the centre (length, default {0, 0, 0})

---A spring along each axis, in `fields`.
---@param options mote.harmonic_trap
---@return mote.item
function harmonic_trap(options) end

---Drag of a medium at rest, in `fields`: dv/dt = -linear v - quadratic |v| v. Energy is lost.
---@class (exact) mote.drag
---@field linear? mote.number rate (rate, >= 0, default 0)
---@field quadratic? mote.number rate at speed 1 (inverse length, >= 0, default 0)

---Drag of a medium at rest, in `fields`: dv/dt = -linear v - quadratic |v| v. Energy is lost.
---@param options mote.drag
---@return mote.item
function drag(options) end

---Centrifugal and Coriolis forces of a frame that rotates about the origin, in `fields`. Energies are measured in this frame: their sum is Jacobi's constant.
---@class (exact) mote.rotating_frame
---@field angular_velocity mote.vector angular velocity of the frame, in radians / time, along the rotation axis (angular velocity)

---Centrifugal and Coriolis forces of a frame that rotates about the origin, in `fields`. Energies are measured in this frame: their sum is Jacobi's constant.
---@param options mote.rotating_frame
---@return mote.item
function rotating_frame(options) end

---A damped spring that pulls one body to a point: what a drag with the mouse is, and a way to pull a molecule or a grain by a script. It gives the body momentum and energy from outside; errors of the energy are not counted while it pulls.
---@class (exact) mote.hand
---@field body? number number of the body (its id, from 0) (0 .. 4294967294, default 0)
---@field x? mote.number x of the point to which the body is pulled (length, default 0)
---@field y? mote.number its y (length, default 0)
---@field z? mote.number its z (length, default 0)
---@field stiffness? number acceleration per distance, in units of 1/time^2: the square of the angular frequency; 0: nothing is pulled (>= 0, default 0)
---@field damping? mote.number rate at which the hand slows the body; with it the motion is of first order in dt, whatever the integrator (ias15 and hermite: of their own) (rate, >= 0, default 0)

---A weakly compressible fluid (SPH) and its walls. Leave the table out for none.
---@class (exact) mote.fluid
---@field spacing mote.number particle spacing at the reference density (length, > 0)
---@field largest_speed mote.number largest speed expected in the flow; for water that falls by H, sqrt(2 g H) (velocity, > 0)
---@field sound_speed? mote.number speed of sound, instead of 10 times the largest speed (velocity, > 0)
---@field density? mote.number reference density, at which the pressure is `background_pressure` (density, > 0, default 1)
---@field smoothing? number smoothing length h over the spacing, by default 2 in two and 1.5 in three dimensions; the kernel has a support radius of 2h (1 .. 3)
---@field dimensions? integer 2: in the x-y plane, per unit of depth; or 3 (2 .. 3, default 3)
---@field gamma? integer exponent of Tait's equation of state (1 .. 15, default 7)
---@field background_pressure? mote.number pressure at the reference density, for flows without a free surface (pressure, >= 0, default 0)
---@field viscosity? mote.number kinematic viscosity nu (kinematic viscosity, >= 0, default 0)
---@field artificial_viscosity? number alpha of the artificial viscosity, which damps splashes; 0.01 to 0.1, 0 for none (0 .. 1, default 0)
---@field diffusion? number delta of the density diffusion, which damps pressure noise (0 .. 0.2, default 0.1)
---@field shifting? number strength of the particle shifting, which keeps the spacing even; 0 for none (0 .. 8, default 2)
---@field xsph? number XSPH coefficient: weight of the neighbours' mean velocity in the velocity that moves particles (0 .. 1, default 0)
---@field surface_tension? mote.number surface tension sigma of free surfaces; 0 for none (surface energy, >= 0, default 0)
---@field walls? "no_slip"|"free_slip" boundary condition at walls (default "no_slip")
---@field hydrostatic? boolean start with hydrostatic pressure in uniform fields, so that still water stays at rest; otherwise with the reference density everywhere (default false)

---A face that emits fluid, in the list `emitters`: a new layer of particles each time the last one has moved by one spacing.
---@class (exact) mote.emitter
---@field position mote.vector centre of the face (length)
---@field direction mote.vector direction of the jet; any non-zero length
---@field radius mote.number radius of the disc, or half the side of the square; in two dimensions, half the length of the segment (length, > 0)
---@field shape? "disc"|"square" shape of the face, in three dimensions (default "disc")
---@field speed mote.number speed of the emitted fluid (velocity, > 0)
---@field start? mote.number time of the first layer (time, >= 0, default 0)
---@field stop? mote.number time after which no more layers are emitted (time, >= 0)
---@field most? integer largest number of bodies in the scene; a layer that would exceed it is skipped (1 .. 4294967295, default 1000000)
---@field species? string species of the particles (default "")

---A box or a sphere that removes the fluid inside it, in the list `drains`. Walls are not removed.
---@class (exact) mote.drain
---@field low? mote.vector corner of the box with the smallest coordinates (length)
---@field high? mote.vector the opposite corner (length)
---@field position? mote.vector centre of the sphere (length, default {0, 0, 0})
---@field radius? mote.number radius of the sphere; give a box or a sphere (length, > 0)
---@field every? integer steps between two checks for fluid to remove (>= 1, default 10)

---Ropes, cloth and soft bodies, held together by constraints (XPBD), with the leapfrog integrator. Smaller steps make them stiffer more efficiently than more iterations do.
---@class (exact) mote.soft
---@field iterations? integer iterations over all constraints in each step (1 .. 1000, default 1)
---@field damping? mote.number damping of stretching, bending and compression: their relaxation time without inertia (time, >= 0, default 0)
---@field drag? mote.number rate at which air at rest slows all bodies (rate, >= 0, default 0)
---@field thickness? mote.number distance that obstacles keep from bodies (length, >= 0, default 0)
---@field friction? number friction coefficient with obstacles that have none of their own (>= 0, default 0.3)

---Controls the temperature of all bodies, with the leapfrog integrator. Leave the table out for constant energy.
---@class (exact) mote.thermostat
---@field [1]? "langevin"|"nose_hoover" langevin: friction and noise; nose_hoover: a chain of three oscillators (default "langevin")
---@field name? "langevin"|"nose_hoover" langevin: friction and noise; nose_hoover: a chain of three oscillators (default "langevin")
---@field temperature mote.number k T, an energy; with units also in K (energy, > 0)
---@field friction? mote.number of langevin: decay rate of velocities (rate, > 0, default 1)
---@field time? mote.number of nose_hoover: time scale of the chain (time, > 0, default 1)

---A flat wall, in `obstacles`; the half-space behind it is solid.
---@class (exact) mote.plane
---@field point? mote.vector a point on it (length, default {0, 0, 0})
---@field normal? mote.vector direction out of the wall, of any length but zero (default {0, 0, 1})
---@field friction? number Coulomb friction coefficient of its surface; by default that of the bodies (>= 0)
---@field restitution? number ratio of the speeds after and before a head-on bounce; by default that of the bodies (0 .. 1)
---@field name? string obstacles of one name are one solid: the force and the torque on it are in series.csv, and an axle of its name turns it (default "")
---@field velocity? mote.vector constant velocity (velocity, default {0, 0, 0})
---@field amplitude? mote.vector oscillation by amplitude sin(2 pi frequency t + phase) (length, default {0, 0, 0})
---@field frequency? mote.number frequency of the oscillation (rate, >= 0, default 0)
---@field phase? mote.number phase of the oscillation at time 0 (angle, default 0)
---@field angular_velocity? mote.vector angular velocity vector along the rotation axis, in radians / time (angular velocity, default {0, 0, 0})
---@field pivot? mote.vector a point on the rotation axis at time 0; by default the obstacle's own position (length)

---A flat wall, in `obstacles`; the half-space behind it is solid.
---@param options mote.plane
---@return mote.solid
function plane(options) end

---A box, solid or hollow (`container`), in `obstacles`.
---@class (exact) mote.box
---@field center? mote.vector position of its centre (length, default {0, 0, 0})
---@field size mote.vector lengths of its sides (length, > 0)
---@field rotation? mote.vector rotation vector: rotated about this direction by its length in degrees (angle, default {0, 0, 0})
---@field container? boolean hollow: bodies are inside, everything outside is solid (default false)
---@field friction? number Coulomb friction coefficient of its surface; by default that of the bodies (>= 0)
---@field restitution? number ratio of the speeds after and before a head-on bounce; by default that of the bodies (0 .. 1)
---@field name? string obstacles of one name are one solid: the force and the torque on it are in series.csv, and an axle of its name turns it (default "")
---@field velocity? mote.vector constant velocity (velocity, default {0, 0, 0})
---@field amplitude? mote.vector oscillation by amplitude sin(2 pi frequency t + phase) (length, default {0, 0, 0})
---@field frequency? mote.number frequency of the oscillation (rate, >= 0, default 0)
---@field phase? mote.number phase of the oscillation at time 0 (angle, default 0)
---@field angular_velocity? mote.vector angular velocity vector along the rotation axis, in radians / time (angular velocity, default {0, 0, 0})
---@field pivot? mote.vector a point on the rotation axis at time 0; by default the obstacle's own position (length)

---A box, solid or hollow (`container`), in `obstacles`.
---@param options mote.box
---@return mote.solid
function box(options) end

---A sphere, solid or hollow (`container`), in `obstacles`.
---@class (exact) mote.sphere
---@field radius mote.number radius (length, > 0)
---@field center? mote.vector position of its centre (length, default {0, 0, 0})
---@field container? boolean hollow: bodies are inside, everything outside is solid (default false)
---@field friction? number Coulomb friction coefficient of its surface; by default that of the bodies (>= 0)
---@field restitution? number ratio of the speeds after and before a head-on bounce; by default that of the bodies (0 .. 1)
---@field name? string obstacles of one name are one solid: the force and the torque on it are in series.csv, and an axle of its name turns it (default "")
---@field velocity? mote.vector constant velocity (velocity, default {0, 0, 0})
---@field amplitude? mote.vector oscillation by amplitude sin(2 pi frequency t + phase) (length, default {0, 0, 0})
---@field frequency? mote.number frequency of the oscillation (rate, >= 0, default 0)
---@field phase? mote.number phase of the oscillation at time 0 (angle, default 0)
---@field angular_velocity? mote.vector angular velocity vector along the rotation axis, in radians / time (angular velocity, default {0, 0, 0})
---@field pivot? mote.vector a point on the rotation axis at time 0; by default the obstacle's own position (length)

---A sphere, solid or hollow (`container`), in `obstacles`.
---@param options mote.sphere
---@return mote.solid
function sphere(options) end

---A rod, or a drum or tube (`container`), in `obstacles`.
---@class (exact) mote.cylinder
---@field radius mote.number radius (length, > 0)
---@field length? mote.number length between its closed ends; by default unbounded (length, > 0)
---@field axis? mote.vector direction of its axis, of any length but zero (default {0, 0, 1})
---@field center? mote.vector position of its centre (length, default {0, 0, 0})
---@field container? boolean hollow: bodies are inside, everything outside is solid (default false)
---@field friction? number Coulomb friction coefficient of its surface; by default that of the bodies (>= 0)
---@field restitution? number ratio of the speeds after and before a head-on bounce; by default that of the bodies (0 .. 1)
---@field name? string obstacles of one name are one solid: the force and the torque on it are in series.csv, and an axle of its name turns it (default "")
---@field velocity? mote.vector constant velocity (velocity, default {0, 0, 0})
---@field amplitude? mote.vector oscillation by amplitude sin(2 pi frequency t + phase) (length, default {0, 0, 0})
---@field frequency? mote.number frequency of the oscillation (rate, >= 0, default 0)
---@field phase? mote.number phase of the oscillation at time 0 (angle, default 0)
---@field angular_velocity? mote.vector angular velocity vector along the rotation axis, in radians / time (angular velocity, default {0, 0, 0})
---@field pivot? mote.vector a point on the rotation axis at time 0; by default the obstacle's own position (length)

---A rod, or a drum or tube (`container`), in `obstacles`.
---@param options mote.cylinder
---@return mote.solid
function cylinder(options) end

---A rod with round ends, in `obstacles`.
---@class (exact) mote.capsule
---@field from mote.vector one end of its axis (length)
---@field to mote.vector the other end of its axis (length)
---@field radius mote.number radius (length, > 0)
---@field friction? number Coulomb friction coefficient of its surface; by default that of the bodies (>= 0)
---@field restitution? number ratio of the speeds after and before a head-on bounce; by default that of the bodies (0 .. 1)
---@field name? string obstacles of one name are one solid: the force and the torque on it are in series.csv, and an axle of its name turns it (default "")
---@field velocity? mote.vector constant velocity (velocity, default {0, 0, 0})
---@field amplitude? mote.vector oscillation by amplitude sin(2 pi frequency t + phase) (length, default {0, 0, 0})
---@field frequency? mote.number frequency of the oscillation (rate, >= 0, default 0)
---@field phase? mote.number phase of the oscillation at time 0 (angle, default 0)
---@field angular_velocity? mote.vector angular velocity vector along the rotation axis, in radians / time (angular velocity, default {0, 0, 0})
---@field pivot? mote.vector a point on the rotation axis at time 0; by default the obstacle's own position (length)

---A rod with round ends, in `obstacles`.
---@param options mote.capsule
---@return mote.solid
function capsule(options) end

---A closed triangle mesh from a file, solid or hollow (`container`), in `obstacles`.
---@class (exact) mote.mesh
---@field file? string OBJ, STL or PLY, in the folder of the scene or below (default "")
---@field scale? mote.number length of one unit of the file, in units of the scene (length, > 0, default 1)
---@field center? mote.vector position of the file's origin (length, default {0, 0, 0})
---@field rotation? mote.vector rotation vector: rotated about this direction by its length in degrees (angle, default {0, 0, 0})
---@field resolution? integer cells of its distance grid along the longest side; edges are rounded on the scale of a cell (8 .. 480, default 96)
---@field container? boolean hollow: bodies are inside, everything outside is solid (default false)
---@field friction? number Coulomb friction coefficient of its surface; by default that of the bodies (>= 0)
---@field restitution? number ratio of the speeds after and before a head-on bounce; by default that of the bodies (0 .. 1)
---@field name? string obstacles of one name are one solid: the force and the torque on it are in series.csv, and an axle of its name turns it (default "")
---@field velocity? mote.vector constant velocity (velocity, default {0, 0, 0})
---@field amplitude? mote.vector oscillation by amplitude sin(2 pi frequency t + phase) (length, default {0, 0, 0})
---@field frequency? mote.number frequency of the oscillation (rate, >= 0, default 0)
---@field phase? mote.number phase of the oscillation at time 0 (angle, default 0)
---@field angular_velocity? mote.vector angular velocity vector along the rotation axis, in radians / time (angular velocity, default {0, 0, 0})
---@field pivot? mote.vector a point on the rotation axis at time 0; by default the obstacle's own position (length)

---A closed triangle mesh from a file, solid or hollow (`container`), in `obstacles`.
---@param options mote.mesh
---@return mote.solid
function mesh(options) end

---a single body, { mass = 1, position = {1, 0, 0}, velocity = {0, 1, 0} }
---@class (exact) mote.body
---@field name? string shown in messages, pictures and the window (default "")
---@field mass mote.number a body of mass 0 feels gravity but exerts none (mass, >= 0)
---@field position mote.vector initial position (length)
---@field velocity? mote.vector initial velocity (velocity, default {0, 0, 0})
---@field color? string its colour, #rrggbb, in place of that of the view; the first 64 bodies with color or display_radius are drawn with them (default "")
---@field display_radius? mote.number radius of its sphere in pictures; has no effect on forces; 0: as others (length, >= 0, default 0)
---@field species? string name of one of the scene's species (default "")
---@field fixed? boolean whether it keeps its velocity, whatever acts on it (default false)
---@field angular_velocity? mote.vector of grains: rotation of each body at the start, in radians / time (angular velocity, default {0, 0, 0})
---@field radius? mote.number of spheres: radius of each body (length, > 0)

---a Plummer sphere in equilibrium, isotropic velocities
---@class (exact) mote.plummer
---@field n integer number of bodies, of equal mass (1 .. 1e+09)
---@field mass? mote.number total mass of the bodies (mass, >= 0, default 1)
---@field scale? mote.number Plummer radius; the default gives virial (Henon) units if G = mass = 1 (length, > 0, default 0.5890486225480862)
---@field cutoff? number radius beyond which there are no bodies, in scales (0.001 .. 1e+09, default 20)
---@field inclination? mote.number rotation about the x axis, applied first (angle, default 0)
---@field node? mote.number rotation about the z axis, after the inclination: longitude of the ascending node (angle, default 0)
---@field position? mote.vector position of its centre (length, default {0, 0, 0})
---@field velocity? mote.vector velocity of its centre (velocity, default {0, 0, 0})
---@field centre? boolean whether the centre of mass is moved to rest at the origin before placement; that of a random sample is off by chance (default true)
---@field stream? integer number of the random stream; by default each generator of a scene has its own (0 .. 4294967295)
---@field species? string name of one of the scene's species (default "")
---@field fixed? boolean whether it keeps its velocity, whatever acts on it (default false)
---@field angular_velocity? mote.vector of grains: rotation of each body at the start, in radians / time (angular velocity, default {0, 0, 0})
---@field radius? mote.number of spheres: radius of each body (length, > 0)

---a Plummer sphere in equilibrium, isotropic velocities
---@param options mote.plummer
---@return mote.made
function plummer(options) end

---a sphere of uniform density, at rest or with random velocities
---@class (exact) mote.uniform_sphere
---@field n integer number of bodies, of equal mass (1 .. 1e+09)
---@field mass? mote.number total mass of the bodies (mass, >= 0, default 1)
---@field radius? mote.number radius of the sphere (length, > 0, default 1)
---@field virial_ratio? number 2 T / |W| of the Maxwellian velocities: 0 is at rest, 1 virial equilibrium (>= 0, default 0)
---@field inclination? mote.number rotation about the x axis, applied first (angle, default 0)
---@field node? mote.number rotation about the z axis, after the inclination: longitude of the ascending node (angle, default 0)
---@field position? mote.vector position of its centre (length, default {0, 0, 0})
---@field velocity? mote.vector velocity of its centre (velocity, default {0, 0, 0})
---@field centre? boolean whether the centre of mass is moved to rest at the origin before placement; that of a random sample is off by chance (default true)
---@field stream? integer number of the random stream; by default each generator of a scene has its own (0 .. 4294967295)
---@field species? string name of one of the scene's species (default "")
---@field fixed? boolean whether it keeps its velocity, whatever acts on it (default false)
---@field angular_velocity? mote.vector of grains: rotation of each body at the start, in radians / time (angular velocity, default {0, 0, 0})

---a sphere of uniform density, at rest or with random velocities
---@param options mote.uniform_sphere
---@return mote.made
function uniform_sphere(options) end

---an exponential disk near equilibrium in the x-y plane, rotating counter-clockwise seen from +z
---@class (exact) mote.disk
---@field n integer number of bodies, of equal mass (1 .. 1e+09)
---@field mass? mote.number total mass of the bodies (mass, >= 0, default 1)
---@field scale_length? mote.number radius over which the surface density falls by a factor e (length, > 0, default 1)
---@field thickness? number scale height of the sech^2 profile, in scale lengths; 0 is razor-thin (0 .. 2, default 0.1)
---@field cutoff? number radius beyond which there are no bodies, in scale lengths (0.5 .. 30, default 6)
---@field toomre_q? number Toomre's Q: 0 circular orbits, below 1 unstable, above 1.5 only with dark_mass (0 .. 10, default 1.5)
---@field dark_mass? mote.number mass of a Plummer sphere that adds to the rotation curve; add its bodies with plummer (mass, >= 0, default 0)
---@field dark_scale? mote.number scale of that Plummer sphere (length, > 0, default 1)
---@field inclination? mote.number rotation about the x axis, applied first (angle, default 0)
---@field node? mote.number rotation about the z axis, after the inclination: longitude of the ascending node (angle, default 0)
---@field position? mote.vector position of its centre (length, default {0, 0, 0})
---@field velocity? mote.vector velocity of its centre (velocity, default {0, 0, 0})
---@field centre? boolean whether the centre of mass is moved to rest at the origin before placement; that of a random sample is off by chance (default true)
---@field stream? integer number of the random stream; by default each generator of a scene has its own (0 .. 4294967295)
---@field species? string name of one of the scene's species (default "")
---@field fixed? boolean whether it keeps its velocity, whatever acts on it (default false)
---@field angular_velocity? mote.vector of grains: rotation of each body at the start, in radians / time (angular velocity, default {0, 0, 0})
---@field radius? mote.number of spheres: radius of each body (length, > 0)

---an exponential disk near equilibrium in the x-y plane, rotating counter-clockwise seen from +z
---@param options mote.disk
---@return mote.made
function disk(options) end

---Hernquist's model of a bulge or a halo in equilibrium: a cusp, isotropic velocities
---@class (exact) mote.hernquist
---@field n integer number of bodies, of equal mass (1 .. 1e+09)
---@field mass? mote.number total mass of the bodies (mass, >= 0, default 1)
---@field scale? mote.number Hernquist's scale radius a, which contains a quarter of the mass (length, > 0, default 1)
---@field cutoff? number radius beyond which there are no bodies, in scales (0.001 .. 1e+09, default 50)
---@field inclination? mote.number rotation about the x axis, applied first (angle, default 0)
---@field node? mote.number rotation about the z axis, after the inclination: longitude of the ascending node (angle, default 0)
---@field position? mote.vector position of its centre (length, default {0, 0, 0})
---@field velocity? mote.vector velocity of its centre (velocity, default {0, 0, 0})
---@field centre? boolean whether the centre of mass is moved to rest at the origin before placement; that of a random sample is off by chance (default true)
---@field stream? integer number of the random stream; by default each generator of a scene has its own (0 .. 4294967295)
---@field species? string name of one of the scene's species (default "")
---@field fixed? boolean whether it keeps its velocity, whatever acts on it (default false)
---@field angular_velocity? mote.vector of grains: rotation of each body at the start, in radians / time (angular velocity, default {0, 0, 0})
---@field radius? mote.number of spheres: radius of each body (length, > 0)

---Hernquist's model of a bulge or a halo in equilibrium: a cusp, isotropic velocities
---@param options mote.hernquist
---@return mote.made
function hernquist(options) end

---King's model of a star cluster in equilibrium, with a core and a tidal radius
---@class (exact) mote.king
---@field n integer number of bodies, of equal mass (1 .. 1e+09)
---@field mass? mote.number total mass of the bodies (mass, >= 0, default 1)
---@field w0? number depth of the potential at the centre, in squared velocity dispersions: 3 is loose, 9 concentrated (0.1 .. 15, default 6)
---@field core_radius? mote.number King's core radius; 1 when neither radius is given (length, > 0)
---@field tidal_radius? mote.number radius where the density vanishes, instead of core_radius (length, > 0)
---@field inclination? mote.number rotation about the x axis, applied first (angle, default 0)
---@field node? mote.number rotation about the z axis, after the inclination: longitude of the ascending node (angle, default 0)
---@field position? mote.vector position of its centre (length, default {0, 0, 0})
---@field velocity? mote.vector velocity of its centre (velocity, default {0, 0, 0})
---@field centre? boolean whether the centre of mass is moved to rest at the origin before placement; that of a random sample is off by chance (default true)
---@field stream? integer number of the random stream; by default each generator of a scene has its own (0 .. 4294967295)
---@field species? string name of one of the scene's species (default "")
---@field fixed? boolean whether it keeps its velocity, whatever acts on it (default false)
---@field angular_velocity? mote.vector of grains: rotation of each body at the start, in radians / time (angular velocity, default {0, 0, 0})
---@field radius? mote.number of spheres: radius of each body (length, > 0)

---King's model of a star cluster in equilibrium, with a core and a tidal radius
---@param options mote.king
---@return mote.made
function king(options) end

---a star cluster: a Plummer or King model with a mass function and an exact virial ratio
---@class (exact) mote.cluster
---@field n integer number of stars (1 .. 1e+09)
---@field model? "plummer"|"king" model of positions and velocities (default "plummer")
---@field scale? mote.number Plummer's scale or King's core radius (length, > 0, default 1)
---@field cutoff? number radius beyond which the Plummer model has no stars, in scales (0.001 .. 1e+09, default 20)
---@field w0? number depth of the King model's centre, in squared velocity dispersions (0.1 .. 15, default 6)
---@field masses? "kroupa"|"salpeter"|"equal" mass function: Kroupa (2001), Salpeter, or all equal (default "kroupa")
---@field minimum_mass? number of a star, in solar masses (> 0, default 0.08)
---@field maximum_mass? number of a star, in solar masses (> 0, default 150)
---@field solar_mass? mote.number one solar mass in scene units, 1e-10 in galactic units; has no effect when `mass` is given (mass, > 0, default 1)
---@field mass? mote.number total mass, to which the drawn masses are scaled; not scaled when left out (mass, >= 0)
---@field virial_ratio? number 2 T / |W|: 1 is virial equilibrium, less collapses, 0 is at rest (>= 0, default 1)
---@field inclination? mote.number rotation about the x axis, applied first (angle, default 0)
---@field node? mote.number rotation about the z axis, after the inclination: longitude of the ascending node (angle, default 0)
---@field position? mote.vector position of its centre (length, default {0, 0, 0})
---@field velocity? mote.vector velocity of its centre (velocity, default {0, 0, 0})
---@field centre? boolean whether the centre of mass is moved to rest at the origin before placement; that of a random sample is off by chance (default true)
---@field stream? integer number of the random stream; by default each generator of a scene has its own (0 .. 4294967295)
---@field species? string name of one of the scene's species (default "")
---@field fixed? boolean whether it keeps its velocity, whatever acts on it (default false)
---@field angular_velocity? mote.vector of grains: rotation of each body at the start, in radians / time (angular velocity, default {0, 0, 0})
---@field radius? mote.number of spheres: radius of each body (length, > 0)

---a star cluster: a Plummer or King model with a mass function and an exact virial ratio
---@param options mote.cluster
---@return mote.made
function cluster(options) end

---a disc galaxy near equilibrium: exponential disk, bulge and halo
---@class (exact) mote.galaxy
---@field n integer total number of bodies of disk, bulge and halo (1 .. 1e+09)
---@field part? "all"|"disk"|"bulge"|"halo" which bodies are made: of one part, n of them, in the gravity of all three, or of all (default "all")
---@field n_bulge? integer number of bodies of the bulge; proportional to its mass when left out (0 .. 1e+09)
---@field n_halo? integer number of bodies of the halo; proportional to its mass when left out (0 .. 1e+09)
---@field disk_mass? mote.number mass of the disk (mass, >= 0, default 1)
---@field scale_length? mote.number radius over which the disk's surface density falls by a factor e (length, > 0, default 1)
---@field thickness? number scale height of the disk's sech^2 profile, in scale lengths; 0 is razor-thin (0 .. 2, default 0.1)
---@field disk_cutoff? number radius beyond which the disk has no bodies, in scale lengths (0.5 .. 30, default 6)
---@field toomre_q? number Toomre's Q of the disk: 0 circular orbits, below 1 unstable (0 .. 10, default 1.5)
---@field bulge_mass? mote.number mass of the bulge (mass, >= 0, default 0.3)
---@field bulge_scale? mote.number Hernquist's scale radius of the bulge (length, > 0, default 0.2)
---@field bulge_cutoff? number radius beyond which the bulge has no bodies, in its scales (> 0 and <= 1e+09, default 20)
---@field halo_mass? mote.number mass of the halo (mass, >= 0, default 6)
---@field halo_scale? mote.number Hernquist's scale radius of the halo (length, > 0, default 5)
---@field halo_cutoff? number radius beyond which the halo has no bodies, in its scales (> 0 and <= 1e+09, default 10)
---@field inclination? mote.number rotation about the x axis, applied first (angle, default 0)
---@field node? mote.number rotation about the z axis, after the inclination: longitude of the ascending node (angle, default 0)
---@field position? mote.vector position of its centre (length, default {0, 0, 0})
---@field velocity? mote.vector velocity of its centre (velocity, default {0, 0, 0})
---@field centre? boolean whether the centre of mass is moved to rest at the origin before placement; that of a random sample is off by chance (default true)
---@field stream? integer number of the random stream; by default each generator of a scene has its own (0 .. 4294967295)
---@field species? string name of one of the scene's species (default "")
---@field fixed? boolean whether it keeps its velocity, whatever acts on it (default false)
---@field angular_velocity? mote.vector of grains: rotation of each body at the start, in radians / time (angular velocity, default {0, 0, 0})
---@field radius? mote.number of spheres: radius of each body (length, > 0)

---a disc galaxy near equilibrium: exponential disk, bulge and halo
---@param options mote.galaxy
---@return mote.made
function galaxy(options) end

---a spherical shell, thin or between two radii, at rest or with given velocities
---@class (exact) mote.shell
---@field n integer number of bodies, of equal mass (1 .. 1e+09)
---@field mass? mote.number total mass of the bodies (mass, >= 0, default 1)
---@field radius? mote.number outer radius of the shell (length, > 0, default 1)
---@field inner_radius? mote.number inner radius of a thick shell of uniform density; the shell is thin when left out (length, >= 0)
---@field dispersion? mote.number velocity dispersion per component (Maxwellian); 0 is at rest (velocity, >= 0, default 0)
---@field spin? mote.number rigid rotation about the z axis, counter-clockwise seen from +z, in radians / time (angular velocity, default 0)
---@field inclination? mote.number rotation about the x axis, applied first (angle, default 0)
---@field node? mote.number rotation about the z axis, after the inclination: longitude of the ascending node (angle, default 0)
---@field position? mote.vector position of its centre (length, default {0, 0, 0})
---@field velocity? mote.vector velocity of its centre (velocity, default {0, 0, 0})
---@field centre? boolean whether the centre of mass is moved to rest at the origin before placement; that of a random sample is off by chance (default true)
---@field stream? integer number of the random stream; by default each generator of a scene has its own (0 .. 4294967295)
---@field species? string name of one of the scene's species (default "")
---@field fixed? boolean whether it keeps its velocity, whatever acts on it (default false)
---@field angular_velocity? mote.vector of grains: rotation of each body at the start, in radians / time (angular velocity, default {0, 0, 0})

---a spherical shell, thin or between two radii, at rest or with given velocities
---@param options mote.shell
---@return mote.made
function shell(options) end

---a flat ring in the x-y plane, at rest or on circular orbits about a central mass
---@class (exact) mote.ring
---@field n integer number of bodies, of equal mass (1 .. 1e+09)
---@field mass? mote.number total mass of the bodies (mass, >= 0, default 1)
---@field radius? mote.number radius of the middle of the ring (length, > 0, default 1)
---@field width? mote.number from the inner to the outer edge, uniformly filled (length, >= 0, default 0)
---@field central_mass? mote.number mass at the centre, about which the bodies are on circular orbits; add it as a body yourself (mass, >= 0, default 0)
---@field dispersion? mote.number velocity dispersion per component (Maxwellian); 0 is at rest (velocity, >= 0, default 0)
---@field spin? mote.number rigid rotation about the z axis, counter-clockwise seen from +z, in radians / time (angular velocity, default 0)
---@field inclination? mote.number rotation about the x axis, applied first (angle, default 0)
---@field node? mote.number rotation about the z axis, after the inclination: longitude of the ascending node (angle, default 0)
---@field position? mote.vector position of its centre (length, default {0, 0, 0})
---@field velocity? mote.vector velocity of its centre (velocity, default {0, 0, 0})
---@field centre? boolean whether the centre of mass is moved to rest at the origin before placement; that of a random sample is off by chance (default true)
---@field stream? integer number of the random stream; by default each generator of a scene has its own (0 .. 4294967295)
---@field species? string name of one of the scene's species (default "")
---@field fixed? boolean whether it keeps its velocity, whatever acts on it (default false)
---@field angular_velocity? mote.vector of grains: rotation of each body at the start, in radians / time (angular velocity, default {0, 0, 0})

---a flat ring in the x-y plane, at rest or on circular orbits about a central mass
---@param options mote.ring
---@return mote.made
function ring(options) end

---a solid torus of uniform density about the z axis, at rest or with given velocities
---@class (exact) mote.torus
---@field n integer number of bodies, of equal mass (1 .. 1e+09)
---@field mass? mote.number total mass of the bodies (mass, >= 0, default 1)
---@field radius? mote.number distance from the axis to the centre of the tube (length, > 0, default 1)
---@field tube_radius? mote.number radius of the tube, at most that of the torus (length, > 0, default 0.25)
---@field dispersion? mote.number velocity dispersion per component (Maxwellian); 0 is at rest (velocity, >= 0, default 0)
---@field spin? mote.number rigid rotation about the z axis, counter-clockwise seen from +z, in radians / time (angular velocity, default 0)
---@field inclination? mote.number rotation about the x axis, applied first (angle, default 0)
---@field node? mote.number rotation about the z axis, after the inclination: longitude of the ascending node (angle, default 0)
---@field position? mote.vector position of its centre (length, default {0, 0, 0})
---@field velocity? mote.vector velocity of its centre (velocity, default {0, 0, 0})
---@field centre? boolean whether the centre of mass is moved to rest at the origin before placement; that of a random sample is off by chance (default true)
---@field stream? integer number of the random stream; by default each generator of a scene has its own (0 .. 4294967295)
---@field species? string name of one of the scene's species (default "")
---@field fixed? boolean whether it keeps its velocity, whatever acts on it (default false)
---@field angular_velocity? mote.vector of grains: rotation of each body at the start, in radians / time (angular velocity, default {0, 0, 0})

---a solid torus of uniform density about the z axis, at rest or with given velocities
---@param options mote.torus
---@return mote.made
function torus(options) end

---a cube or box of uniform density about the origin, at rest or with given velocities
---@class (exact) mote.cube
---@field n integer number of bodies, of equal mass (1 .. 1e+09)
---@field mass? mote.number total mass of the bodies (mass, >= 0, default 1)
---@field size? mote.vector sides along x, y and z; 0 is flat (length, >= 0, default {1, 1, 1})
---@field dispersion? mote.number velocity dispersion per component (Maxwellian); 0 is at rest (velocity, >= 0, default 0)
---@field spin? mote.number rigid rotation about the z axis, counter-clockwise seen from +z, in radians / time (angular velocity, default 0)
---@field inclination? mote.number rotation about the x axis, applied first (angle, default 0)
---@field node? mote.number rotation about the z axis, after the inclination: longitude of the ascending node (angle, default 0)
---@field position? mote.vector position of its centre (length, default {0, 0, 0})
---@field velocity? mote.vector velocity of its centre (velocity, default {0, 0, 0})
---@field centre? boolean whether the centre of mass is moved to rest at the origin before placement; that of a random sample is off by chance (default true)
---@field stream? integer number of the random stream; by default each generator of a scene has its own (0 .. 4294967295)
---@field species? string name of one of the scene's species (default "")
---@field fixed? boolean whether it keeps its velocity, whatever acts on it (default false)
---@field angular_velocity? mote.vector of grains: rotation of each body at the start, in radians / time (angular velocity, default {0, 0, 0})
---@field radius? mote.number of spheres: radius of each body (length, > 0)

---a cube or box of uniform density about the origin, at rest or with given velocities
---@param options mote.cube
---@return mote.made
function cube(options) end

---a crystal about the origin, at rest or with given velocities
---@class (exact) mote.lattice
---@field counts mote.vector unit cells along x, y and z, whole numbers (1 .. 1e+09)
---@field mass? mote.number total mass of the bodies (mass, >= 0, default 1)
---@field spacing? mote.number side of a unit cell (length, > 0, default 1)
---@field structure? "cubic"|"bcc"|"fcc" one body per cell (cubic), two (bcc) or four (fcc) (default "cubic")
---@field dispersion? mote.number velocity dispersion per component (Maxwellian); 0 is at rest (velocity, >= 0, default 0)
---@field spin? mote.number rigid rotation about the z axis, counter-clockwise seen from +z, in radians / time (angular velocity, default 0)
---@field inclination? mote.number rotation about the x axis, applied first (angle, default 0)
---@field node? mote.number rotation about the z axis, after the inclination: longitude of the ascending node (angle, default 0)
---@field position? mote.vector position of its centre (length, default {0, 0, 0})
---@field velocity? mote.vector velocity of its centre (velocity, default {0, 0, 0})
---@field centre? boolean whether the centre of mass is moved to rest at the origin before placement; that of a random sample is off by chance (default true)
---@field stream? integer number of the random stream; by default each generator of a scene has its own (0 .. 4294967295)
---@field species? string name of one of the scene's species (default "")
---@field fixed? boolean whether it keeps its velocity, whatever acts on it (default false)
---@field angular_velocity? mote.vector of grains: rotation of each body at the start, in radians / time (angular velocity, default {0, 0, 0})
---@field radius? mote.number of spheres: radius of each body (length, > 0)

---a crystal about the origin, at rest or with given velocities
---@param options mote.lattice
---@return mote.made
function lattice(options) end

---cold matter on a lattice with random waves of density (Zel'dovich's approximation)
---@class (exact) mote.zeldovich
---@field n integer number of bodies, of equal mass (1 .. 1e+09)
---@field mass? mote.number total mass of the bodies (mass, >= 0, default 1)
---@field shape? "sphere"|"box" sphere, or box: a cube that fills a periodic domain (default "sphere")
---@field size? mote.number diameter of the sphere, or side of the box (length, > 0, default 2)
---@field amplitude? number root mean square of the density contrast; above about 0.5 some bodies have passed each other at the start (0 .. 10, default 0.1)
---@field spectral_index? number exponent of the power spectrum k^index: -3 large structures, 0 small ones (-6 .. 6, default -2)
---@field waves? integer shortest waves: so many fit into the size; the longest is the size (1 .. 64, default 8)
---@field expansion? number rate of expansion in units of the critical one, sqrt(8 pi G rho / 3), with the velocities of growing waves; at rest when left out (0 .. 1)
---@field inclination? mote.number rotation about the x axis, applied first (angle, default 0)
---@field node? mote.number rotation about the z axis, after the inclination: longitude of the ascending node (angle, default 0)
---@field position? mote.vector position of its centre (length, default {0, 0, 0})
---@field velocity? mote.vector velocity of its centre (velocity, default {0, 0, 0})
---@field centre? boolean whether the centre of mass is moved to rest at the origin before placement; that of a random sample is off by chance (default true)
---@field stream? integer number of the random stream; by default each generator of a scene has its own (0 .. 4294967295)
---@field species? string name of one of the scene's species (default "")
---@field fixed? boolean whether it keeps its velocity, whatever acts on it (default false)
---@field angular_velocity? mote.vector of grains: rotation of each body at the start, in radians / time (angular velocity, default {0, 0, 0})
---@field radius? mote.number of spheres: radius of each body (length, > 0)

---cold matter on a lattice with random waves of density (Zel'dovich's approximation)
---@param options mote.zeldovich
---@return mote.made
function zeldovich(options) end

---a chain of bonded bodies: straight, a ring, or a random walk
---@class (exact) mote.chain
---@field n integer number of bodies, of equal mass (1 .. 1e+09)
---@field mass? mote.number total mass of the bodies (mass, >= 0, default 1)
---@field spacing? mote.number distance between consecutive bodies (length, > 0, default 1)
---@field shape? "straight"|"ring"|"walk" straight; ring: closed, in the x-y plane; walk: steps in random directions (default "straight")
---@field direction? mote.vector of a straight chain, from its first to its last body (default {1, 0, 0})
---@field bond? string kind of the bonds between consecutive bodies
---@field angle? string kind of the angles between consecutive bonds
---@field dispersion? mote.number velocity dispersion per component (Maxwellian); 0 is at rest (velocity, >= 0, default 0)
---@field spin? mote.number rigid rotation about the z axis, counter-clockwise seen from +z, in radians / time (angular velocity, default 0)
---@field pinned? "start"|"end"|("start"|"end")[] ends whose body is fixed: start, end
---@field clamped? "start"|"end"|("start"|"end")[] ends whose two bodies are fixed, with their direction
---@field inclination? mote.number rotation about the x axis, applied first (angle, default 0)
---@field node? mote.number rotation about the z axis, after the inclination: longitude of the ascending node (angle, default 0)
---@field position? mote.vector position of its centre (length, default {0, 0, 0})
---@field velocity? mote.vector velocity of its centre (velocity, default {0, 0, 0})
---@field centre? boolean whether the centre of mass is moved to rest at the origin before placement; that of a random sample is off by chance (default true)
---@field stream? integer number of the random stream; by default each generator of a scene has its own (0 .. 4294967295)
---@field species? string name of one of the scene's species (default "")
---@field fixed? boolean whether it keeps its velocity, whatever acts on it (default false)
---@field angular_velocity? mote.vector of grains: rotation of each body at the start, in radians / time (angular velocity, default {0, 0, 0})
---@field radius? mote.number of spheres: radius of each body (length, > 0)

---a chain of bonded bodies: straight, a ring, or a random walk
---@param options mote.chain
---@return mote.made
function chain(options) end

---one body on a Kepler orbit about a primary at `position`
---@class (exact) mote.orbit
---@field name? string shown in the window and in files (default "")
---@field color? string its colour, #rrggbb, in place of that of the view; the first 64 bodies with color or display_radius are drawn with them (default "")
---@field display_radius? mote.number radius of its sphere in pictures; has no effect on forces; 0: as others (length, >= 0, default 0)
---@field mass? mote.number of the body (mass, >= 0, default 0)
---@field central_mass? mote.number mass of the primary, greater than 0; add the primary itself as a body. For a moon in the list `moons` of another orbit, the mass of that orbit's body (mass, >= 0, default 0)
---@field semi_major_axis? mote.number negative for a hyperbola (length)
---@field periapsis? mote.number smallest distance from the primary, instead of semi_major_axis (length, > 0)
---@field eccentricity? number 0 is a circle, below 1 an ellipse, 1 a parabola, above a hyperbola (>= 0, default 0)
---@field argument_of_periapsis? mote.number from the ascending node (the x axis without inclination and node) to the periapsis (angle, default 0)
---@field mean_anomaly? mote.number time since periapsis, 360 degrees per period; 0 when no anomaly is given (angle)
---@field true_anomaly? mote.number angle from the periapsis, instead of mean_anomaly (angle)
---@field inclination? mote.number rotation about the x axis, applied first (angle, default 0)
---@field node? mote.number rotation about the z axis, after the inclination: longitude of the ascending node (angle, default 0)
---@field position? mote.vector position of its centre (length, default {0, 0, 0})
---@field velocity? mote.vector velocity of its centre (velocity, default {0, 0, 0})
---@field species? string name of one of the scene's species (default "")
---@field fixed? boolean whether it keeps its velocity, whatever acts on it (default false)
---@field angular_velocity? mote.vector of grains: rotation of each body at the start, in radians / time (angular velocity, default {0, 0, 0})
---@field radius? mote.number of spheres: radius of each body (length, > 0)
---@field moons? mote.made[] orbits about this body

---one body on a Kepler orbit about a primary at `position`
---@param options mote.orbit
---@return mote.made
function orbit(options) end

---a chain of bodies along the x axis about the origin, for scenes with a table `soft`
---@class (exact) mote.rope
---@field n? integer number of bodies (2 .. 1e+09, default 20)
---@field mass? mote.number total mass of the bodies (mass, >= 0, default 1)
---@field length? mote.number length along the rope (length, > 0, default 1)
---@field span? mote.number distance between the ends, less than the length: the rope then starts as an arc towards -z (length, > 0)
---@field compliance? mote.number elongation of each link per tension; 0 is inextensible (compliance, >= 0, default 0)
---@field pinned? "start"|"end"|("start"|"end")[] ends that keep their velocity: start (at -x), end
---@field inclination? mote.number rotation about the x axis, applied first (angle, default 0)
---@field node? mote.number rotation about the z axis, after the inclination: longitude of the ascending node (angle, default 0)
---@field position? mote.vector position of its centre (length, default {0, 0, 0})
---@field velocity? mote.vector velocity of its centre (velocity, default {0, 0, 0})
---@field species? string name of one of the scene's species (default "")
---@field fixed? boolean whether it keeps its velocity, whatever acts on it (default false)
---@field angular_velocity? mote.vector of grains: rotation of each body at the start, in radians / time (angular velocity, default {0, 0, 0})
---@field radius? mote.number of spheres: radius of each body (length, > 0)

---a chain of bodies along the x axis about the origin, for scenes with a table `soft`
---@param options mote.rope
---@return mote.made
function rope(options) end

---a sheet in the x-y plane about the origin, for scenes with a table `soft`; inclination = 90 makes it vertical
---@class (exact) mote.cloth
---@field mass? mote.number total mass of the bodies (mass, >= 0, default 1)
---@field stretch_compliance? mote.number elongation of each link per tension, 1.5 / (modulus x thickness) of a material for any number of bodies; 0 is inextensible (compliance, >= 0, default 0)
---@field bend_compliance? mote.number bending angle per torque at each edge between two triangles; 0: bends freely (inverse energy, >= 0, default 0)
---@field counts? integer|(integer)[] bodies along x and y; { 20, 20 } when left out (2 .. 1e+09)
---@field size? mote.number|(mote.number)[] lengths along x and y; { 1, 1 } when left out (length, > 0)
---@field pinned? "left"|"right"|"bottom"|"top"|"corners"|"top_corners"|("left"|"right"|"bottom"|"top"|"corners"|"top_corners")[] bodies that keep their velocity: edges left (at -x), right, bottom (at -y), top; all four corners, or the two at the top
---@field inclination? mote.number rotation about the x axis, applied first (angle, default 0)
---@field node? mote.number rotation about the z axis, after the inclination: longitude of the ascending node (angle, default 0)
---@field position? mote.vector position of its centre (length, default {0, 0, 0})
---@field velocity? mote.vector velocity of its centre (velocity, default {0, 0, 0})
---@field species? string name of one of the scene's species (default "")
---@field fixed? boolean whether it keeps its velocity, whatever acts on it (default false)
---@field angular_velocity? mote.vector of grains: rotation of each body at the start, in radians / time (angular velocity, default {0, 0, 0})
---@field radius? mote.number of spheres: radius of each body (length, > 0)

---a sheet in the x-y plane about the origin, for scenes with a table `soft`; inclination = 90 makes it vertical
---@param options mote.cloth
---@return mote.made
function cloth(options) end

---a soft block about the origin, for scenes with a table `soft`
---@class (exact) mote.soft_box
---@field counts? mote.vector bodies along x, y and z, whole numbers (2 .. 1e+09, default {6, 6, 6})
---@field size? mote.vector lengths of its sides (length, > 0, default {1, 1, 1})
---@field mass? mote.number total mass of the bodies (mass, >= 0, default 1)
---@field compliance? mote.number elongation of each tetrahedron edge per tension; 0 is inextensible (compliance, >= 0, default 0)
---@field compressibility? mote.number inverse bulk modulus of each tetrahedron: relative volume change per pressure; 0 is incompressible (compressibility, >= 0, default 0)
---@field inclination? mote.number rotation about the x axis, applied first (angle, default 0)
---@field node? mote.number rotation about the z axis, after the inclination: longitude of the ascending node (angle, default 0)
---@field position? mote.vector position of its centre (length, default {0, 0, 0})
---@field velocity? mote.vector velocity of its centre (velocity, default {0, 0, 0})
---@field species? string name of one of the scene's species (default "")
---@field fixed? boolean whether it keeps its velocity, whatever acts on it (default false)
---@field angular_velocity? mote.vector of grains: rotation of each body at the start, in radians / time (angular velocity, default {0, 0, 0})
---@field radius? mote.number of spheres: radius of each body (length, > 0)

---a soft block about the origin, for scenes with a table `soft`
---@param options mote.soft_box
---@return mote.made
function soft_box(options) end

---a soft ball about the origin, for scenes with a table `soft`
---@class (exact) mote.soft_ball
---@field across? integer bodies along a diameter (3 .. 1000, default 7)
---@field radius? mote.number radius of the ball (length, > 0, default 1)
---@field mass? mote.number total mass of the bodies (mass, >= 0, default 1)
---@field compliance? mote.number elongation of each tetrahedron edge per tension; 0 is inextensible (compliance, >= 0, default 0)
---@field compressibility? mote.number inverse bulk modulus of each tetrahedron: relative volume change per pressure; 0 is incompressible (compressibility, >= 0, default 0)
---@field inclination? mote.number rotation about the x axis, applied first (angle, default 0)
---@field node? mote.number rotation about the z axis, after the inclination: longitude of the ascending node (angle, default 0)
---@field position? mote.vector position of its centre (length, default {0, 0, 0})
---@field velocity? mote.vector velocity of its centre (velocity, default {0, 0, 0})
---@field species? string name of one of the scene's species (default "")
---@field fixed? boolean whether it keeps its velocity, whatever acts on it (default false)
---@field angular_velocity? mote.vector of grains: rotation of each body at the start, in radians / time (angular velocity, default {0, 0, 0})

---a soft ball about the origin, for scenes with a table `soft`
---@param options mote.soft_ball
---@return mote.made
function soft_ball(options) end

---bodies from a file of comma-separated values. The first line names the columns: mass, x, y, z, optionally vx, vy, vz and name; a unit may follow, as in x_au, and must be that of the scene.
---@class (exact) mote.csv
---@field file string path relative to the folder of the scene
---@field species? string name of one of the scene's species (default "")
---@field fixed? boolean whether it keeps its velocity, whatever acts on it (default false)
---@field angular_velocity? mote.vector of grains: rotation of each body at the start, in radians / time (angular velocity, default {0, 0, 0})
---@field radius? mote.number of spheres: radius of each body (length, > 0)

---bodies from a file of comma-separated values. The first line names the columns: mass, x, y, z, optionally vx, vy, vz and name; a unit may follow, as in x_au, and must be that of the scene.
---@param options mote.csv
---@return mote.made
function csv(options) end

---bodies from an HDF5 snapshot in Gadget's layout, such as mote's own: Coordinates, Velocities and Masses (or Header/MassTable) of PartType0 to PartType5, in this order. Units given in the file must be those of the scene.
---@class (exact) mote.gadget
---@field file string path relative to the folder of the scene
---@field species? string name of one of the scene's species (default "")
---@field fixed? boolean whether it keeps its velocity, whatever acts on it (default false)
---@field angular_velocity? mote.vector of grains: rotation of each body at the start, in radians / time (angular velocity, default {0, 0, 0})
---@field radius? mote.number of spheres: radius of each body (length, > 0)

---bodies from an HDF5 snapshot in Gadget's layout, such as mote's own: Coordinates, Velocities and Masses (or Header/MassTable) of PartType0 to PartType5, in this order. Units given in the file must be those of the scene.
---@param options mote.gadget
---@return mote.made
function gadget(options) end

---bodies from a binary TIPSY file, standard (big-endian) or native: mass, position and velocity of gas, dark matter and stars, in this order. Values are in the units of the scene.
---@class (exact) mote.tipsy
---@field file string path relative to the folder of the scene
---@field species? string name of one of the scene's species (default "")
---@field fixed? boolean whether it keeps its velocity, whatever acts on it (default false)
---@field angular_velocity? mote.vector of grains: rotation of each body at the start, in radians / time (angular velocity, default {0, 0, 0})
---@field radius? mote.number of spheres: radius of each body (length, > 0)

---bodies from a binary TIPSY file, standard (big-endian) or native: mass, position and velocity of gas, dark matter and stars, in this order. Values are in the units of the scene.
---@param options mote.tipsy
---@return mote.made
function tipsy(options) end

---bodies from a text file: XYZ with rows name x y z [vx vy vz], extended XYZ with Properties (as mote, ASE and OVITO write it: species, pos, velo or vel, mass), or a reference configuration of NIST. Names that are species of the scene set the species of bodies. Values are in the units of the scene, and positions are used unchanged; `domain` can read the box.
---@class (exact) mote.xyz
---@field file string path relative to the folder of the scene
---@field mass? mote.number mass of bodies for which the file gives none (mass, >= 0, default 1)
---@field species? string name of one of the scene's species (default "")
---@field fixed? boolean whether it keeps its velocity, whatever acts on it (default false)
---@field angular_velocity? mote.vector of grains: rotation of each body at the start, in radians / time (angular velocity, default {0, 0, 0})
---@field radius? mote.number of spheres: radius of each body (length, > 0)

---bodies from a text file: XYZ with rows name x y z [vx vy vz], extended XYZ with Properties (as mote, ASE and OVITO write it: species, pos, velo or vel, mass), or a reference configuration of NIST. Names that are species of the scene set the species of bodies. Values are in the units of the scene, and positions are used unchanged; `domain` can read the box.
---@param options mote.xyz
---@return mote.made
function xyz(options) end

---scale factors of a group, applied first. In Lua: scale(bodies, { length = 2 }).
---@class (exact) mote.scale
---@field length? number factor of the positions (> 0, default 1)
---@field velocity? number factor of the velocities; -1 reverses time (default 1)
---@field mass? number factor of the masses (>= 0, default 1)

---scale factors of a group, applied first. In Lua: scale(bodies, { length = 2 }).
---@param options mote.scale
---@return mote.made
function scale(options) end

---a rigid rotation added to a group: adds rate x position to each velocity, about an axis through the origin. In Lua: spin(bodies, { axis = { 0, 0, 1 }, rate = 0.1 }).
---@class (exact) mote.spin
---@field axis? mote.vector axis of the rotation, through the origin (default {0, 0, 1})
---@field rate? mote.number in radians / time, right-handed about the axis (angular velocity, default 0)

---a rigid rotation added to a group: adds rate x position to each velocity, about an axis through the origin. In Lua: spin(bodies, { axis = { 0, 0, 1 }, rate = 0.1 }).
---@param options mote.spin
---@return mote.made
function spin(options) end

---Species of bodies, a table for each name: species = { star = { color = "#ffcc88" } }. Bodies, generators and body files name theirs as species = "star".
---@class (exact) mote.species
---@field color? string red, green and blue in hexadecimal digits, #rrggbb (default "#ffffff")
---@field matter? "grains"|"lennard_jones"|"fluid"|"soft" kind of matter of its bodies, in scenes with several
---@field visible? boolean whether its bodies are drawn (default true)
---@field size? number factor of the radius of its bodies where spheres are drawn (> 0 and <= 1000, default 1)
---@field brightness? number factor of the light of its bodies where stars are drawn (0 .. 1000, default 1)
---@field restitution? number speed after a head-on collision over the speed before; of this species, instead of that of grains (0 .. 1)
---@field friction? number Coulomb's coefficient; of this species, instead of that of grains (>= 0)
---@field rolling_friction? number largest torque against rolling, over normal force and radius; of this species, instead of that of grains (0 .. 0.5)
---@field rolling_damping? number damping of rolling oscillations, as a fraction of critical damping; of this species, instead of that of grains (0 .. 1)
---@field cohesion? mote.number work of adhesion; the pull-off force of two grains is 2 pi times it times their reduced radius; of this species, instead of that of grains (surface energy, >= 0)
---@field density? mote.number density of grains: sets the masses of all bodies from their radii; without it each body needs a `mass`; of this species, instead of that of grains (density, > 0)
---@field young_modulus? mote.number Young's modulus of the grains, for hertz; a lower value than the real one allows longer steps, as long as overlaps stay small; of this species, instead of that of grains (pressure, > 0)
---@field poisson? number Poisson's ratio of the grains, for hertz; of this species, instead of that of grains (0 .. 0.5)
---@field stiffness? mote.number normal force over overlap, for linear; of this species, instead of that of grains (stiffness, > 0)
---@field stiffness_ratio? number tangential stiffness over normal stiffness, for linear; of this species, instead of that of grains (> 0 and <= 1)
---@field epsilon? mote.number well depth between like bodies, instead of that of lennard_jones (energy, >= 0)
---@field sigma? mote.number diameter between like bodies, instead of that of lennard_jones (length, > 0)
---@field charge? number for coulomb, in elementary charges (default 0)
---@field wall? boolean for fluid: its bodies are walls, which keep their velocity whatever forces act on them (default false)

---When a run without a window ends: at whichever comes first. --until and --steps override it.
---@class (exact) mote.stop
---@field time? mote.number simulation time at the end (time, >= 0)
---@field steps? integer number of steps (0 .. 1e+15)

---How often measurements are written to series.csv.
---@class (exact) mote.series
---@field steps? integer steps between rows; by default 1 for up to 1,024 bodies, 20 for more and with hermite (1 .. 1e+15)
---@field displacement? boolean whether to record the mean square displacement of all bodies since they were added, unwrapped across periodic boundaries (default false)

---When and how the state is written to snapshots/; every run writes one at its end in any case, and one at its start if there are steps or a time between them.
---@class (exact) mote.snapshots
---@field steps? integer steps between snapshots (1 .. 1e+15)
---@field time? mote.number simulation time between snapshots (time, > 0)
---@field compress? boolean whether HDF5 files are compressed: smaller, and slower to write (default false)
---@field contacts? boolean whether snapshots contain the contacts of grains and their forces: within HDF5 and NPZ files, in separate files for VTK and CSV (default false)
---@field times? mote.number|(mote.number)[] simulation times of additional snapshots (time, >= 0)
---@field format? "hdf5"|"vtk"|"xyz"|"csv"|"npz"|"tipsy"|("hdf5"|"vtk"|"xyz"|"csv"|"npz"|"tipsy")[] formats of each snapshot; mote's own commands read hdf5 (default "hdf5")
---@field columns? "id"|"position"|"velocity"|"mass"|"species"|"acceleration"|"potential"|("id"|"position"|"velocity"|"mass"|"species"|"acceleration"|"potential")[] columns of the files, by default id to species; ids and positions are always included; acceleration is by all forces that do not depend on velocities, potential that of gravity per unit mass

---When a run without a window writes checkpoints, from which it can be resumed, to checkpoints/, in addition to the one on interruption. --checkpoint-steps and similar options override single keys.
---@class (exact) mote.checkpoints
---@field steps? integer steps between checkpoints (1 .. 1e+15)
---@field time? mote.number simulation time between checkpoints (time, > 0)
---@field wall? number wall-clock seconds between checkpoints; by default 600, 0: none (>= 0)
---@field keep? integer number of checkpoints kept (1 .. 1e+06, default 3)
---@field final? "auto"|"always"|"never" whether a run that is done has a checkpoint of its end, from which it can be taken further; auto: up to 1 GiB, or if others are requested (default "auto")

---Limits that end a run as unhealthy, besides numbers that are not finite.
---@class (exact) mote.health
---@field energy_error? number largest relative energy error, of either sign, in scenes that conserve energy, or rise, where the energy only falls or may rise a little; by default 10, relative to the largest energy so far (> 0)
---@field escape_radius? mote.number largest distance of a body from the centre of mass; checked at every row of the series (length, > 0)

---A table whose function `run` is called between steps, at every step whose number is a multiple of `every`; or a list of such tables. Only in scenes in Lua.
---@class (exact) mote.on_step
---@field every integer steps between calls (1 .. 1e+15)
---@field run fun(sim: mote.sim)

---A table whose function `run` is called between steps, at the first step at or after each of its times; or a list of such tables. Only in scenes in Lua.
---@class (exact) mote.on_time
---@field every? mote.number at every multiple of this time; either this or `at` (time, > 0)
---@field run fun(sim: mote.sim)

---How the scene is drawn; has no effect on the simulation.
---@class (exact) mote.view
---@field color? string quantity that the colour of bodies shows: speed, radius, x, y, z, mass, acceleration, id, species, force, density, potential, or an expression as in fields: "sqrt(x^2 + y^2)" (default "speed")
---@field show? string expression as in fields that is > 0 for the bodies that are drawn: "z > 0", "(r < 2) * (vx > 0)"; by default all are (default "")
---@field map? "inferno"|"viridis"|"magma"|"plasma"|"turbo"|"grey"|"cividis"|"batlow"|"vik" colour map (default "inferno")
---@field background? "dark"|"light" dark, or light for print: stars are then drawn as ink (default "dark")
---@field occlusion? number how dark spheres, surfaces and water are where others hide the sky: 1 is natural; a quarter slower without a GPU (0 .. 3, default 0)
---@field shadow? number part of the lamp's light that the shadows of spheres, surfaces and tubes take; 0: no shadows; half as slow again without a GPU (0 .. 1, default 0)
---@field reversed? boolean the colours of the map in reverse order (default false)
---@field exposure? number stops brighter (> 0) or darker (< 0) than the automatic exposure (-20 .. 20, default 0)
---@field point_size? number diameter of a body in pixels, in a picture 720 pixels high; 0: chosen from the number of bodies (0 .. 256, default 0)
---@field bodies? "stars"|"spheres"|"fluid" points of light that add up, opaque spheres, or the surface of a fluid; spheres by default where bodies have radii or are connected (default "stars")
---@field radius? mote.number radius of spheres; 0: that of grains, half of sigma or of a fluid's spacing, else from point_size (length, >= 0, default 0)
---@field portrait? mote.number time of the picture that shows the scene best, for galleries; by default its end (time, >= 0)
---@field overlay? "none"|"measures"|"all" what explains pictures and movies: measures are legend, scale bar and time, all has title and credits too (default "none")
---@field credits? string line below the title, where overlay is all (default "")
---@field contacts? boolean contacts of grains as lines on top of the picture; width and brightness show the force. The host finds them, so a GPU's state is copied there for each picture (default false)
---@field trails? "auto"|"on"|"off" trails of the bodies, in the window; auto: only for few bodies (default "auto")
---@field orbits? boolean orbital ellipses, for few bodies, in the window (default false)
---@field axes? boolean axes through the origin, in the window (default false)
---@field box? boolean box around all bodies, in the window (default false)
---@field glow? boolean glow of bright stars, in the window (default true)
---@field clip? mote.view.clip
---@field camera? mote.view.camera

---A plane behind which nothing is drawn; spheres, surfaces and fluids are cut open.
---@class (exact) mote.view.clip
---@field normal? mote.vector direction from the plane into what is drawn, of any length but zero; without it, everything is drawn
---@field offset? mote.number distance of the plane from the origin, along the normal (length, default 0)

---Position and direction of the camera.
---@class (exact) mote.view.camera
---@field distance? mote.number distance from the target; by default all bodies fit the picture (length, > 0)
---@field azimuth? mote.number direction of the camera from the target, about the z axis; 0 is +x, 90 is +y (angle, default 30)
---@field elevation? mote.number angle of the camera above the x-y plane; at 90 it looks down along z (angle, -90 .. 90, default 40)
---@field target? mote.vector point at the centre of the picture; by default the centre of the bodies (length)
