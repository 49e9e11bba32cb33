---@meta
-- What scenes may hold, for editors with the Lua language server. Written by `mote schema --lua`; edit the descriptions in
-- the sources, not this file.

---@alias mote.number number|string a number in the scene's units, or a text with a unit: "220 km/s"
---@alias mote.vector (number|string)[] three of them, {x, y, z}
---@alias mote.bodies mote.body|mote.made|mote.bodies[] a body, what makes bodies, or a list of them

---@class mote.made bodies that a function of mote makes

---@class mote.force a field that a function of mote makes
---@alias mote.forces mote.force|mote.forces[]
---@class mote.solid an obstacle that a function of mote makes
---@alias mote.solids mote.solid|mote.solids[]

---@class (exact) mote.param
---@field min? number smallest value
---@field max? number largest value
---@field unit? string kind of quantity: "length", "time", "mass", "velocity", "angle", ...
---@field doc? string one line: what it is
---@field choices? string[] what a text may be

---What functions of a scene get that run between steps.
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
---@field temperature number k T, an energy; where the scene has forces between near pairs or a thermostat
---@field pressure number in a closed domain
---@field displacement number mean square of the ways since the start, with series = { displacement = true }
---@field mass number
---@field fastest number largest speed
---@field radius_10 number
---@field radius_50 number
---@field radius_90 number
---@field momentum number[]
---@field angular_momentum number[]
---@field center_of_mass number[]
---@field data table what the run keeps, in checkpoints too
---@field body fun(self: mote.sim, id: integer|string): table
---@field add fun(self: mote.sim, bodies: mote.bodies): any bodies come; the id of a single one, else the list of ids
---@field remove fun(self: mote.sim, id: integer|string) a body goes
---@field get fun(self: mote.sim, path: string): any
---@field set fun(self: mote.sim, path: string, value: any)
---@field row fun(self: mote.sim, file: string, columns: table)
---@field snapshot fun(self: mote.sim)
---@field picture fun(self: mote.sim, file: string)
---@field log fun(self: mote.sim, text: string)
---@field stop fun(self: mote.sim, reason: string) ends the run well
---@field fail fun(self: mote.sim, reason: string) ends it as unhealthy

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

---The same bodies, larger, faster or heavier.
---@param bodies mote.bodies
---@param by { length: number?, velocity: number?, mass: number? } factors
---@return mote.made
function scale(bodies, by) end

---The same bodies, turned about an axis through the origin.
---@param bodies mote.bodies
---@param turn { axis: mote.vector?, angle: mote.number }
---@return mote.made
function rotate(bodies, turn) end

---The same bodies, with a rigid rotation about the origin added to their velocities.
---@param bodies mote.bodies
---@param rotation { axis: mote.vector?, rate: mote.number }
---@return mote.made
function spin(bodies, rotation) end

---The same bodies, farther along.
---@param bodies mote.bodies
---@param by mote.vector added to positions
---@return mote.made
function translate(bodies, by) end

---The same bodies, faster.
---@param bodies mote.bodies
---@param by mote.vector added to velocities
---@return mote.made
function boost(bodies, by) end

---The same bodies, turned about the x axis, then about the z axis, then moved.
---@param bodies mote.bodies
---@param to { inclination: mote.number?, node: mote.number?, position: mote.vector?, velocity: mote.vector? }
---@return mote.made
function place(bodies, to) end

---The same bodies once more, to be changed without touching the first.
---@generic T
---@param bodies T
---@return T
function copy(bodies) end

---The table that a scene returns. A key without a default may be left out.
---@class (exact) mote.scene
---@field title? string one line, shown everywhere (default "")
---@field about? string what the scene shows and what it conserves (default "")
---@field units? "nbody"|"si"|"solar"|"galactic"|"molecular" nbody: G = 1; si: m, s, kg; solar: au, day, solar mass; galactic: kpc, 1e10 solar masses, km/s; molecular: nm, ps, dalton, proton charges (default "nbody")
---@field seed? integer where all random numbers of the scene start (0 .. 9007199254740992, default 1)
---@field precision? "auto"|"single"|"mixed"|"double" number type of state and forces; auto: double up to 1,024 bodies, single above (default "auto")
---@field gravity? mote.gravity
---@field domain? mote.domain
---@field lennard_jones? mote.lennard_jones
---@field coulomb? mote.coulomb
---@field thermostat? mote.thermostat
---@field fluid? mote.fluid
---@field radial_distribution? mote.radial_distribution
---@field grains? mote.grains
---@field soft? mote.soft
---@field integrator? mote.integrator
---@field stop? mote.stop
---@field series? mote.series
---@field snapshots? mote.snapshots
---@field checkpoints? mote.checkpoints
---@field health? mote.health
---@field view? mote.view
---@field bodies mote.bodies bodies, generators and groups
---@field fields? mote.forces forces from outside
---@field obstacles? mote.solids solids that grains bounce off
---@field emitters? mote.emitter|mote.emitter[] where fluid comes from
---@field drains? mote.drain|mote.drain[] where fluid goes
---@field species? table<string, mote.species>
---@field bond_kinds? table<string, mote.bond_kind>
---@field angle_kinds? table<string, mote.angle_kind>
---@field bonds? { kind: string, bodies: integer[][] }[] pairs of bodies by their numbers, from 0
---@field angles? { kind: string, bodies: integer[][] }[] three bodies each, the vertex in the middle
---@field on_start? fun(sim: mote.sim)
---@field on_step? mote.on_step|mote.on_step[]
---@field on_time? mote.on_time|mote.on_time[]
---@field on_end? fun(sim: mote.sim)
---@field on_unhealthy? fun(sim: mote.sim)

---Newtonian gravity between all bodies, by direct summation. Leave the table out for none.
---@class (exact) mote.gravity
---@field softening? mote.number Plummer softening length; 0 for point masses (length, >= 0, default 0)
---@field constant? mote.number gravitational constant G, instead of that of the units (gravitational constant, >= 0)

---The box that bodies of short-range forces are in. Leave the table out for open space.
---@class (exact) mote.domain
---@field [1]? mote.vector length along each axis; of no meaning along open ones (length, >= 0, default {0, 0, 0})
---@field size? mote.vector length along each axis; of no meaning along open ones (length, >= 0, default {0, 0, 0})
---@field center? mote.vector of the box (length, default {0, 0, 0})
---@field boundary? "periodic"|"wall"|"open" of all axes: periodic, a wall at either end, or open (default "periodic")
---@field x? "periodic"|"wall"|"open" boundary along x, where it is another
---@field y? "periodic"|"wall"|"open" boundary along y, where it is another
---@field z? "periodic"|"wall"|"open" boundary along z, where it is another
---@field file? string XYZ file in the folder of the scene whose box gives size and center: the Lattice of extended XYZ, from its Origin or, without one, from 0 up; the three lengths of a NIST configuration, or of a comment that is nothing else, about the origin

---Lennard-Jones forces between bodies, of one kind or by species. Leave the table out for none.
---@class (exact) mote.lennard_jones
---@field epsilon? mote.number depth of the well (energy, >= 0, default 1)
---@field sigma? mote.number distance at which the energy is zero (length, > 0, default 1)
---@field cutoff? mote.number distance from which there is no force; by default 2.5 of the largest sigma (length, > 0)
---@field truncation? "plain"|"shifted"|"switched" plain: cut off; shifted: with the energy zero there, too; switched: smoothly (default "shifted")
---@field switch_from? mote.number distance from which it is switched off; by default 0.9 of the cutoff (length, > 0)
---@field skin? mote.number by how much further than the cutoff neighbours are listed; changes speed and the last bits only; 0 lists them at every step; by default an eighth of the cutoff (length, >= 0)

---Coulomb forces between charged species, cut off in a medium (reaction field). Needs lennard_jones.
---@class (exact) mote.coulomb
---@field constant? number energy of two unit charges at unit distance, instead of that of the units (>= 0)
---@field cutoff? mote.number by default that of lennard_jones (length, > 0)
---@field dielectric? number relative permittivity of the medium beyond the cutoff; by default a conductor (>= 1)

---Two species whose Lennard-Jones numbers are not those of the mixing rules, in `pairs`.
---@class (exact) mote.pair
---@field epsilon? mote.number depth of the well (energy, >= 0)
---@field sigma? mote.number distance at which the energy is zero (length, > 0)
---@field cutoff? mote.number distance from which there is no force (length, > 0)

---A kind of bonds, in `bond_kinds = { name = { ... } }`: springs, with or without dashpots, or FENE bonds of polymers.
---@class (exact) mote.bond_kind
---@field form? "harmonic"|"fene" harmonic: a spring, k/2 (r - length)^2; fene: finitely extensible, -k/2 R^2 ln(1 - (r/R)^2) with R the extension (default "harmonic")
---@field stiffness mote.number k: energy over length squared (stiffness, > 0)
---@field length? mote.number of harmonic, which needs it: at rest (length, >= 0)
---@field extension? mote.number of fene, which needs it: no bond gets as long (length, > 0)
---@field damping? mote.number of a dashpot along the bond: force over the velocity of its ends against each other (damping, >= 0, default 0)

---A kind of angles between two bonds, in `angle_kinds = { name = { ... } }`.
---@class (exact) mote.angle_kind
---@field form? "harmonic"|"cosine" harmonic: k/2 (theta - angle)^2; cosine: k (1 - cos(theta - angle)) (default "harmonic")
---@field stiffness mote.number k, of angles in radians (energy, > 0)
---@field angle? mote.number at rest (angle, 0 .. 180, default 180)

---Keeps the temperature of all bodies, with the leapfrog integrator. Leave the table out to keep their energy.
---@class (exact) mote.thermostat
---@field [1]? "langevin"|"nose_hoover" langevin: friction and noise; nose_hoover: a chain of three oscillators (default "langevin")
---@field name? "langevin"|"nose_hoover" langevin: friction and noise; nose_hoover: a chain of three oscillators (default "langevin")
---@field temperature mote.number as an energy, k T; with units also in K (energy, > 0)
---@field friction? mote.number of langevin: how fast velocities are forgotten (rate, > 0, default 1)
---@field time? mote.number of nose_hoover: that of its own oscillation (time, > 0, default 1)

---A weakly compressible fluid (SPH) and its walls. Leave the table out for none.
---@class (exact) mote.fluid
---@field spacing mote.number distance of neighbouring particles at the reference density (length, > 0)
---@field largest_speed mote.number largest speed that the flow is expected to reach; of water that falls by H, sqrt(2 g H) (velocity, > 0)
---@field sound_speed? mote.number speed of sound, instead of 10 times the largest speed (velocity, > 0)
---@field density? mote.number density of reference, at which the pressure is that of the background (density, > 0, default 1)
---@field smoothing? number smoothing length h over the spacing, 2 in two and 1.5 in three dimensions; particles reach 2h (1 .. 3)
---@field dimensions? integer 2: in the plane of x and y, for a unit of depth; or 3 (2 .. 3, default 3)
---@field gamma? integer exponent of Tait's equation of state (1 .. 15, default 7)
---@field background_pressure? mote.number pressure at the density of reference, for flows without a free surface (pressure, >= 0, default 0)
---@field viscosity? mote.number kinematic viscosity nu (kinematic viscosity, >= 0, default 0)
---@field artificial_viscosity? number alpha of the artificial viscosity, which calms splashes; 0.01 to 0.1, 0 for none (0 .. 1, default 0)
---@field diffusion? number delta of the diffusion of density, which quiets noise of the pressure (0 .. 0.2, default 0.1)
---@field shifting? number strength of the shifting that keeps particles evenly spaced; 0 for none (0 .. 8, default 2)
---@field xsph? number share of the neighbours' mean velocity in that with which particles move (0 .. 1, default 0)
---@field surface_tension? mote.number surface tension sigma of free surfaces; 0 for none (surface energy, >= 0, default 0)
---@field walls? "no_slip"|"free_slip" what walls do to the fluid along them (default "no_slip")
---@field hydrostatic? boolean the fluid starts with the pressure of its depth in uniform fields, so that still water is still; without it all of it starts at the density of reference (default false)

---A face that fluid comes out of, in the list `emitters`. A layer of particles leaves it whenever the last one has moved by one spacing.
---@class (exact) mote.emitter
---@field position mote.vector middle of the face (length)
---@field direction mote.vector in which the fluid comes out, of any length
---@field radius mote.number of the disc, half the side of the square; in two dimensions, half the segment (length, > 0)
---@field shape? "disc"|"square" of the face, in three dimensions (default "disc")
---@field speed mote.number with which the fluid comes out (velocity, > 0)
---@field start? mote.number time of the first layer (time, >= 0, default 0)
---@field stop? mote.number time behind the last layer (time, >= 0)
---@field most? integer bodies in the scene; a layer that would make more is left out (1 .. 4294967295, default 1000000)
---@field species? string of the particles (default "")

---A place where fluid is taken out, in the list `drains`: a box, or a sphere. Walls stay.
---@class (exact) mote.drain
---@field low? mote.vector corner of the box with the least coordinates (length)
---@field high? mote.vector the opposite corner (length)
---@field position? mote.vector centre of the sphere (length, default {0, 0, 0})
---@field radius? mote.number of the sphere, instead of a box (length, > 0)
---@field every? integer steps from one look at what is there to the next (>= 1, default 10)

---The radial distribution function g(r) of bodies in a closed domain, averaged over samples of a run without a window: radial_distribution.csv, with the mean number of neighbours within each radius.
---@class (exact) mote.radial_distribution
---@field range mote.number largest distance; at most half of the shortest periodic length of the domain (length, > 0)
---@field bins? integer shells of equal width up to there (1 .. 10000, default 200)
---@field every? integer steps between samples (1 .. 1e+15, default 100)
---@field from? integer step of the first sample: what is before, a liquid that is melting, does not count (0 .. 1e+15, default 0)
---@field species? boolean whether each pair of the scene's species, 8 at most, has a column of its own, too (default false)

---Bodies are spheres that touch each other and obstacles: springs and dashpots, friction, rolling resistance and adhesion. Leave the table out for points.
---@class (exact) mote.grains
---@field radius mote.number of bodies that do not say their own (length, > 0)
---@field spread? number how far that radius varies, relative: uniform between radius (1 - spread) and radius (1 + spread) (0 .. 0.9, default 0)
---@field density? mote.number masses of all bodies follow from it and their radii; without it they are those that bodies say (density, > 0)
---@field model? "hertz"|"linear" hertz: elastic spheres (Hertz, Mindlin); linear: springs that do not depend on the overlap (default "hertz")
---@field young_modulus? mote.number Young's modulus of the grains, for hertz; softer than the real one allows longer steps, as long as overlaps stay small (pressure, > 0, default 1e+07)
---@field poisson? number Poisson's ratio of the grains, for hertz (0 .. 0.5, default 0.3)
---@field stiffness? mote.number normal force over overlap, for linear (stiffness, > 0, default 10000)
---@field stiffness_ratio? number tangential stiffness over normal stiffness, for linear (> 0 and <= 1, default 0.2857142857142857)
---@field restitution? number speed after a head-on collision over the speed before (0 .. 1, default 0.8)
---@field friction? number Coulomb's coefficient (>= 0, default 0.5)
---@field rolling_friction? number greatest torque against rolling, over normal force and radius (0 .. 0.5, default 0)
---@field rolling_damping? number damping of rocking, over the critical one (0 .. 1, default 0.3)
---@field cohesion? mote.number work of adhesion: two grains are pulled together by 2 pi times it times their reduced radius (surface energy, >= 0, default 0)

---Ropes, cloth and soft bodies, held together by constraints that are met in each step (XPBD), with the leapfrog integrator. Smaller steps make them stiffer sooner than more iterations do.
---@class (exact) mote.soft
---@field iterations? integer over all constraints in each step (1 .. 1000, default 1)
---@field damping? mote.number of stretching, bending and squeezing: time in which they come back where nothing has inertia (time, >= 0, default 0)
---@field drag? mote.number rate at which all bodies lose their velocity to air at rest (rate, >= 0, default 0)
---@field thickness? mote.number distance that obstacles keep bodies away (length, >= 0, default 0)
---@field friction? number with obstacles that do not say their own (>= 0, default 0.3)

---How the bodies move: a scheme and a time step, fixed or fitted to a flow.
---@class (exact) mote.integrator
---@field [1]? "leapfrog"|"yoshida4"|"yoshida6" scheme; leapfrog is of second order, yoshida4 and yoshida6 of fourth and sixth (default "leapfrog")
---@field name? "leapfrog"|"yoshida4"|"yoshida6" scheme; leapfrog is of second order, yoshida4 and yoshida6 of fourth and sixth (default "leapfrog")
---@field dt mote.number time step, with courant the longest (time, > 0)
---@field courant? number share of the largest stable step (CFL) of a fluid that steps are given; without it all steps are dt (> 0 and <= 1)
---@field every? integer with courant: steps from one look at the flow to the next (>= 1, default 20)

---A field given by formulas, in `fields`; see [external fields](#external-fields).
---@class mote.field
---@field acceleration (string|number)[] three expressions, x, y and z, in velocity / time: texts or numbers, without units
---@field potential? string expression of the potential energy per mass; without it energy is not constant

---A field given by formulas, in `fields`; see [external fields](#external-fields).
---@param options mote.field
---@return mote.force
function field(options) end

---The same acceleration everywhere, in `fields`.
---@class (exact) mote.uniform
---@field acceleration mote.vector acceleration (acceleration)

---The same acceleration everywhere, in `fields`.
---@param options mote.uniform
---@return mote.force
function uniform(options) end

---The gravity of a mass that stands still, in `fields`.
---@class (exact) mote.point_mass
---@field mass mote.number mass (mass, >= 0)
---@field softening? mote.number Plummer softening length (length, >= 0, default 0)
---@field position? mote.vector where its centre is (length, default {0, 0, 0})

---The gravity of a mass that stands still, in `fields`.
---@param options mote.point_mass
---@return mote.force
function point_mass(options) end

---A dark halo with a flat rotation curve (Binney & Tremaine 2008, eq. 2.71a), in `fields`.
---@class (exact) mote.logarithmic_halo
---@field speed mote.number circular speed far outside the core (velocity, >= 0)
---@field core_radius? mote.number radius of its core (length, >= 0, default 0)
---@field flattening? number axis ratio of the potential, z to x; below 0.707 the density is negative somewhere (> 0 and <= 10, default 1)
---@field position? mote.vector where its centre is (length, default {0, 0, 0})

---A dark halo with a flat rotation curve (Binney & Tremaine 2008, eq. 2.71a), in `fields`.
---@param options mote.logarithmic_halo
---@return mote.force
function logarithmic_halo(options) end

---The gravity of a thick disc about the z axis (Miyamoto & Nagai 1975), in `fields`.
---@class (exact) mote.miyamoto_nagai
---@field mass mote.number mass (mass, >= 0)
---@field scale_length mote.number a: 0 makes a Plummer sphere (length, >= 0)
---@field scale_height mote.number b: 0 makes an infinitely thin disc (length, >= 0)
---@field position? mote.vector where its centre is (length, default {0, 0, 0})

---The gravity of a thick disc about the z axis (Miyamoto & Nagai 1975), in `fields`.
---@param options mote.miyamoto_nagai
---@return mote.force
function miyamoto_nagai(options) end

---A spring along each axis, in `fields`.
---@class (exact) mote.harmonic_trap
---@field rates mote.vector angular frequency of the oscillation along each axis, in radians / time (angular velocity, >= 0)
---@field position? mote.vector where its centre is (length, default {0, 0, 0})

---A spring along each axis, in `fields`.
---@param options mote.harmonic_trap
---@return mote.force
function harmonic_trap(options) end

---Drag of a medium at rest, in `fields`: dv/dt = -linear v - quadratic |v| v. Energy is lost.
---@class (exact) mote.drag
---@field linear? mote.number rate (rate, >= 0, default 0)
---@field quadratic? mote.number rate at speed 1 (inverse length, >= 0, default 0)

---Drag of a medium at rest, in `fields`: dv/dt = -linear v - quadratic |v| v. Energy is lost.
---@param options mote.drag
---@return mote.force
function drag(options) end

---Centrifugal and Coriolis forces of axes that turn about the origin, in `fields`. Energies are those in these axes: their sum is Jacobi's constant.
---@class (exact) mote.rotating_frame
---@field angular_velocity mote.vector how the axes turn, in radians / time; along the axis of the turn (angular velocity)

---Centrifugal and Coriolis forces of axes that turn about the origin, in `fields`. Energies are those in these axes: their sum is Jacobi's constant.
---@param options mote.rotating_frame
---@return mote.force
function rotating_frame(options) end

---A flat wall, in `obstacles`; all behind it is solid.
---@class (exact) mote.plane
---@field point? mote.vector a place on it (length, default {0, 0, 0})
---@field normal? mote.vector direction out of the wall, of any length but zero (default {0, 0, 1})
---@field friction? number Coulomb's coefficient of its surface; that of the bodies where it is not given (>= 0)
---@field restitution? number speed after a head-on bounce off it, over the speed before; that of the bodies where it is not given (0 .. 1)
---@field velocity? mote.vector with which it moves all the time (velocity, default {0, 0, 0})
---@field amplitude? mote.vector of an oscillation: amplitude sin(2 pi frequency t + phase) (length, default {0, 0, 0})
---@field frequency? mote.number of the oscillation (rate, >= 0, default 0)
---@field phase? mote.number of the oscillation at time 0 (angle, default 0)
---@field angular_velocity? mote.vector how it turns, in radians / time; along the axis of the turn (angular velocity, default {0, 0, 0})
---@field pivot? mote.vector a place on the axis of the turn at time 0; its own place where it is not given (length)

---A flat wall, in `obstacles`; all behind it is solid.
---@param options mote.plane
---@return mote.solid
function plane(options) end

---A box, or one whose inside is empty (`container`), in `obstacles`.
---@class (exact) mote.box
---@field center? mote.vector where its centre is (length, default {0, 0, 0})
---@field size mote.vector lengths of its sides (length, > 0)
---@field rotation? mote.vector turned about this direction by as many degrees as it is long (angle, default {0, 0, 0})
---@field container? boolean bodies are inside, and all around is solid (default false)
---@field friction? number Coulomb's coefficient of its surface; that of the bodies where it is not given (>= 0)
---@field restitution? number speed after a head-on bounce off it, over the speed before; that of the bodies where it is not given (0 .. 1)
---@field velocity? mote.vector with which it moves all the time (velocity, default {0, 0, 0})
---@field amplitude? mote.vector of an oscillation: amplitude sin(2 pi frequency t + phase) (length, default {0, 0, 0})
---@field frequency? mote.number of the oscillation (rate, >= 0, default 0)
---@field phase? mote.number of the oscillation at time 0 (angle, default 0)
---@field angular_velocity? mote.vector how it turns, in radians / time; along the axis of the turn (angular velocity, default {0, 0, 0})
---@field pivot? mote.vector a place on the axis of the turn at time 0; its own place where it is not given (length)

---A box, or one whose inside is empty (`container`), in `obstacles`.
---@param options mote.box
---@return mote.solid
function box(options) end

---A ball, or a hollow one (`container`), in `obstacles`.
---@class (exact) mote.sphere
---@field radius mote.number radius (length, > 0)
---@field center? mote.vector where its centre is (length, default {0, 0, 0})
---@field container? boolean bodies are inside, and all around is solid (default false)
---@field friction? number Coulomb's coefficient of its surface; that of the bodies where it is not given (>= 0)
---@field restitution? number speed after a head-on bounce off it, over the speed before; that of the bodies where it is not given (0 .. 1)
---@field velocity? mote.vector with which it moves all the time (velocity, default {0, 0, 0})
---@field amplitude? mote.vector of an oscillation: amplitude sin(2 pi frequency t + phase) (length, default {0, 0, 0})
---@field frequency? mote.number of the oscillation (rate, >= 0, default 0)
---@field phase? mote.number of the oscillation at time 0 (angle, default 0)
---@field angular_velocity? mote.vector how it turns, in radians / time; along the axis of the turn (angular velocity, default {0, 0, 0})
---@field pivot? mote.vector a place on the axis of the turn at time 0; its own place where it is not given (length)

---A ball, or a hollow one (`container`), in `obstacles`.
---@param options mote.sphere
---@return mote.solid
function sphere(options) end

---A rod, or a drum or tube (`container`), in `obstacles`.
---@class (exact) mote.cylinder
---@field radius mote.number radius (length, > 0)
---@field length? mote.number from end to end, which are closed; without end where it is not given (length, > 0)
---@field axis? mote.vector its direction, of any length but zero (default {0, 0, 1})
---@field center? mote.vector where its centre is (length, default {0, 0, 0})
---@field container? boolean bodies are inside, and all around is solid (default false)
---@field friction? number Coulomb's coefficient of its surface; that of the bodies where it is not given (>= 0)
---@field restitution? number speed after a head-on bounce off it, over the speed before; that of the bodies where it is not given (0 .. 1)
---@field velocity? mote.vector with which it moves all the time (velocity, default {0, 0, 0})
---@field amplitude? mote.vector of an oscillation: amplitude sin(2 pi frequency t + phase) (length, default {0, 0, 0})
---@field frequency? mote.number of the oscillation (rate, >= 0, default 0)
---@field phase? mote.number of the oscillation at time 0 (angle, default 0)
---@field angular_velocity? mote.vector how it turns, in radians / time; along the axis of the turn (angular velocity, default {0, 0, 0})
---@field pivot? mote.vector a place on the axis of the turn at time 0; its own place where it is not given (length)

---A rod, or a drum or tube (`container`), in `obstacles`.
---@param options mote.cylinder
---@return mote.solid
function cylinder(options) end

---A rod with round ends, in `obstacles`.
---@class (exact) mote.capsule
---@field from mote.vector one end of its axis (length)
---@field to mote.vector the other end of its axis (length)
---@field radius mote.number radius (length, > 0)
---@field friction? number Coulomb's coefficient of its surface; that of the bodies where it is not given (>= 0)
---@field restitution? number speed after a head-on bounce off it, over the speed before; that of the bodies where it is not given (0 .. 1)
---@field velocity? mote.vector with which it moves all the time (velocity, default {0, 0, 0})
---@field amplitude? mote.vector of an oscillation: amplitude sin(2 pi frequency t + phase) (length, default {0, 0, 0})
---@field frequency? mote.number of the oscillation (rate, >= 0, default 0)
---@field phase? mote.number of the oscillation at time 0 (angle, default 0)
---@field angular_velocity? mote.vector how it turns, in radians / time; along the axis of the turn (angular velocity, default {0, 0, 0})
---@field pivot? mote.vector a place on the axis of the turn at time 0; its own place where it is not given (length)

---A rod with round ends, in `obstacles`.
---@param options mote.capsule
---@return mote.solid
function capsule(options) end

---A closed surface of triangles out of a file, or the room inside one (`container`), in `obstacles`.
---@class (exact) mote.mesh
---@field file? string OBJ, STL or PLY, in the folder of the scene or below (default "")
---@field scale? mote.number length of 1 in the file, in units of the scene (length, > 0, default 1)
---@field center? mote.vector where the origin of the file comes to be (length, default {0, 0, 0})
---@field rotation? mote.vector turned about this direction by as many degrees as it is long (angle, default {0, 0, 0})
---@field resolution? integer cells of its distance grid along the longest side; edges are rounded to about one of them (8 .. 480, default 96)
---@field container? boolean bodies are inside, and all around is solid (default false)
---@field friction? number Coulomb's coefficient of its surface; that of the bodies where it is not given (>= 0)
---@field restitution? number speed after a head-on bounce off it, over the speed before; that of the bodies where it is not given (0 .. 1)
---@field velocity? mote.vector with which it moves all the time (velocity, default {0, 0, 0})
---@field amplitude? mote.vector of an oscillation: amplitude sin(2 pi frequency t + phase) (length, default {0, 0, 0})
---@field frequency? mote.number of the oscillation (rate, >= 0, default 0)
---@field phase? mote.number of the oscillation at time 0 (angle, default 0)
---@field angular_velocity? mote.vector how it turns, in radians / time; along the axis of the turn (angular velocity, default {0, 0, 0})
---@field pivot? mote.vector a place on the axis of the turn at time 0; its own place where it is not given (length)

---A closed surface of triangles out of a file, or the room inside one (`container`), in `obstacles`.
---@param options mote.mesh
---@return mote.solid
function mesh(options) end

---a body written out, { mass = 1, position = {1, 0, 0}, velocity = {0, 1, 0} }
---@class (exact) mote.body
---@field name? string shown in messages (default "")
---@field mass mote.number a body of mass 0 feels gravity and does not pull (mass, >= 0)
---@field position mote.vector where it starts (length)
---@field velocity? mote.vector how it starts (velocity, default {0, 0, 0})
---@field species? string which of the scene's species it is (default "")
---@field radius? mote.number for grains: that of each body (length, > 0)

---a Plummer sphere in equilibrium, isotropic velocities
---@class (exact) mote.plummer
---@field n integer number of bodies, all of the same mass (1 .. 1e+09)
---@field mass? mote.number mass of all bodies together (mass, >= 0, default 1)
---@field scale? mote.number Plummer's scale; the default makes virial (Henon) units when G = mass = 1 (length, > 0, default 0.5890486225480862)
---@field cutoff? number radius beyond which there are no bodies, in scales (0.001 .. 1e+09, default 20)
---@field inclination? mote.number turn about the x axis, before everything else (angle, default 0)
---@field node? mote.number turn about the z axis, after the inclination: longitude of the ascending node (angle, default 0)
---@field position? mote.vector where its centre is (length, default {0, 0, 0})
---@field velocity? mote.vector how its centre moves (velocity, default {0, 0, 0})
---@field centre? boolean whether the centre of mass is brought to rest at the origin before the bodies are placed; a random sample's is off by chance (default true)
---@field stream? integer number of the random sequence; when left out each generator of a scene has its own (0 .. 4294967295)
---@field species? string which of the scene's species it is (default "")
---@field radius? mote.number for grains: that of each body (length, > 0)

---a Plummer sphere in equilibrium, isotropic velocities
---@param options mote.plummer
---@return mote.made
function plummer(options) end

---a sphere of uniform density, at rest or with random velocities
---@class (exact) mote.uniform_sphere
---@field n integer number of bodies, all of the same mass (1 .. 1e+09)
---@field mass? mote.number mass of all bodies together (mass, >= 0, default 1)
---@field radius? mote.number radius of the sphere (length, > 0, default 1)
---@field virial_ratio? number 2 T / |W| of the random (Maxwellian) velocities: 0 is at rest, 1 in balance (>= 0, default 0)
---@field inclination? mote.number turn about the x axis, before everything else (angle, default 0)
---@field node? mote.number turn about the z axis, after the inclination: longitude of the ascending node (angle, default 0)
---@field position? mote.vector where its centre is (length, default {0, 0, 0})
---@field velocity? mote.vector how its centre moves (velocity, default {0, 0, 0})
---@field centre? boolean whether the centre of mass is brought to rest at the origin before the bodies are placed; a random sample's is off by chance (default true)
---@field stream? integer number of the random sequence; when left out each generator of a scene has its own (0 .. 4294967295)
---@field species? string which of the scene's species it is (default "")

---a sphere of uniform density, at rest or with random velocities
---@param options mote.uniform_sphere
---@return mote.made
function uniform_sphere(options) end

---an exponential disk near equilibrium in the x-y plane, turning counter-clockwise seen from +z
---@class (exact) mote.disk
---@field n integer number of bodies, all of the same mass (1 .. 1e+09)
---@field mass? mote.number mass of all bodies together (mass, >= 0, default 1)
---@field scale_length? mote.number radius over which the surface density falls by e (length, > 0, default 1)
---@field thickness? number scale height of the sech^2 sheet, in scale lengths; 0 is razor-thin (0 .. 2, default 0.1)
---@field cutoff? number radius beyond which there are no bodies, in scale lengths (0.5 .. 30, default 6)
---@field toomre_q? number Toomre's Q of the random velocities: 0 circular orbits, below 1 unstable, above 1.5 only with dark mass (0 .. 10, default 1.5)
---@field dark_mass? mote.number mass of a Plummer sphere whose gravity adds to the rotation; its bodies are yours to add, with plummer (mass, >= 0, default 0)
---@field dark_scale? mote.number scale of that Plummer sphere (length, > 0, default 1)
---@field inclination? mote.number turn about the x axis, before everything else (angle, default 0)
---@field node? mote.number turn about the z axis, after the inclination: longitude of the ascending node (angle, default 0)
---@field position? mote.vector where its centre is (length, default {0, 0, 0})
---@field velocity? mote.vector how its centre moves (velocity, default {0, 0, 0})
---@field centre? boolean whether the centre of mass is brought to rest at the origin before the bodies are placed; a random sample's is off by chance (default true)
---@field stream? integer number of the random sequence; when left out each generator of a scene has its own (0 .. 4294967295)
---@field species? string which of the scene's species it is (default "")
---@field radius? mote.number for grains: that of each body (length, > 0)

---an exponential disk near equilibrium in the x-y plane, turning counter-clockwise seen from +z
---@param options mote.disk
---@return mote.made
function disk(options) end

---Hernquist's model of a bulge or a halo in equilibrium: a cusp, isotropic velocities
---@class (exact) mote.hernquist
---@field n integer number of bodies, all of the same mass (1 .. 1e+09)
---@field mass? mote.number mass of all bodies together (mass, >= 0, default 1)
---@field scale? mote.number Hernquist's scale a: a quarter of the mass is inside it (length, > 0, default 1)
---@field cutoff? number radius beyond which there are no bodies, in scales (0.001 .. 1e+09, default 50)
---@field inclination? mote.number turn about the x axis, before everything else (angle, default 0)
---@field node? mote.number turn about the z axis, after the inclination: longitude of the ascending node (angle, default 0)
---@field position? mote.vector where its centre is (length, default {0, 0, 0})
---@field velocity? mote.vector how its centre moves (velocity, default {0, 0, 0})
---@field centre? boolean whether the centre of mass is brought to rest at the origin before the bodies are placed; a random sample's is off by chance (default true)
---@field stream? integer number of the random sequence; when left out each generator of a scene has its own (0 .. 4294967295)
---@field species? string which of the scene's species it is (default "")
---@field radius? mote.number for grains: that of each body (length, > 0)

---Hernquist's model of a bulge or a halo in equilibrium: a cusp, isotropic velocities
---@param options mote.hernquist
---@return mote.made
function hernquist(options) end

---King's model of a star cluster in equilibrium, with a core and a tidal radius
---@class (exact) mote.king
---@field n integer number of bodies, all of the same mass (1 .. 1e+09)
---@field mass? mote.number mass of all bodies together (mass, >= 0, default 1)
---@field w0? number depth of the potential at the centre, in squared velocity dispersions: 3 is loose, 9 concentrated (0.1 .. 15, default 6)
---@field core_radius? mote.number King's radius of the core; 1 when neither radius is given (length, > 0)
---@field tidal_radius? mote.number radius where the density ends, instead of core_radius (length, > 0)
---@field inclination? mote.number turn about the x axis, before everything else (angle, default 0)
---@field node? mote.number turn about the z axis, after the inclination: longitude of the ascending node (angle, default 0)
---@field position? mote.vector where its centre is (length, default {0, 0, 0})
---@field velocity? mote.vector how its centre moves (velocity, default {0, 0, 0})
---@field centre? boolean whether the centre of mass is brought to rest at the origin before the bodies are placed; a random sample's is off by chance (default true)
---@field stream? integer number of the random sequence; when left out each generator of a scene has its own (0 .. 4294967295)
---@field species? string which of the scene's species it is (default "")
---@field radius? mote.number for grains: that of each body (length, > 0)

---King's model of a star cluster in equilibrium, with a core and a tidal radius
---@param options mote.king
---@return mote.made
function king(options) end

---a star cluster: a Plummer or King model with a mass function and an exact virial ratio
---@class (exact) mote.cluster
---@field n integer number of stars (1 .. 1e+09)
---@field model? "plummer"|"king" of places and velocities (default "plummer")
---@field scale? mote.number Plummer's scale or King's core radius (length, > 0, default 1)
---@field cutoff? number radius beyond which the Plummer model has no stars, in scales (0.001 .. 1e+09, default 20)
---@field w0? number depth of the King model's centre, in squared velocity dispersions (0.1 .. 15, default 6)
---@field masses? "kroupa"|"salpeter"|"equal" mass function: Kroupa's of 2001, Salpeter's, or all equal (default "kroupa")
---@field minimum_mass? number of a star, in solar masses (> 0, default 0.08)
---@field maximum_mass? number of a star, in solar masses (> 0, default 150)
---@field solar_mass? mote.number a solar mass in the scene's units: 1e-10 in galactic ones; does not matter when `mass` is given (mass, > 0, default 1)
---@field mass? mote.number mass of all stars together, to which they are scaled; as drawn when left out (mass, >= 0)
---@field virial_ratio? number 2 T / |W|: 1 is in balance, less collapses, 0 is at rest (>= 0, default 1)
---@field inclination? mote.number turn about the x axis, before everything else (angle, default 0)
---@field node? mote.number turn about the z axis, after the inclination: longitude of the ascending node (angle, default 0)
---@field position? mote.vector where its centre is (length, default {0, 0, 0})
---@field velocity? mote.vector how its centre moves (velocity, default {0, 0, 0})
---@field centre? boolean whether the centre of mass is brought to rest at the origin before the bodies are placed; a random sample's is off by chance (default true)
---@field stream? integer number of the random sequence; when left out each generator of a scene has its own (0 .. 4294967295)
---@field species? string which of the scene's species it is (default "")
---@field radius? mote.number for grains: that of each body (length, > 0)

---a star cluster: a Plummer or King model with a mass function and an exact virial ratio
---@param options mote.cluster
---@return mote.made
function cluster(options) end

---a disc galaxy near equilibrium: exponential disk, bulge and halo
---@class (exact) mote.galaxy
---@field n integer number of bodies in all, disk, bulge and halo (1 .. 1e+09)
---@field n_bulge? integer bodies of the bulge; by its mass when left out (0 .. 1e+09)
---@field n_halo? integer bodies of the halo; by its mass when left out (0 .. 1e+09)
---@field disk_mass? mote.number of the disk (mass, >= 0, default 1)
---@field scale_length? mote.number radius over which the disk's surface density falls by e (length, > 0, default 1)
---@field thickness? number scale height of the disk's sech^2 sheet, in scale lengths; 0 is razor-thin (0 .. 2, default 0.1)
---@field disk_cutoff? number radius beyond which the disk has no bodies, in scale lengths (0.5 .. 30, default 6)
---@field toomre_q? number Toomre's Q of the disk: 0 circular orbits, below 1 unstable (0 .. 10, default 1.5)
---@field bulge_mass? mote.number of the bulge (mass, >= 0, default 0.3)
---@field bulge_scale? mote.number Hernquist's scale of the bulge (length, > 0, default 0.2)
---@field bulge_cutoff? number radius beyond which the bulge has no bodies, in its scales (> 0 and <= 1e+09, default 20)
---@field halo_mass? mote.number of the halo (mass, >= 0, default 6)
---@field halo_scale? mote.number Hernquist's scale of the halo (length, > 0, default 5)
---@field halo_cutoff? number radius beyond which the halo has no bodies, in its scales (> 0 and <= 1e+09, default 10)
---@field inclination? mote.number turn about the x axis, before everything else (angle, default 0)
---@field node? mote.number turn about the z axis, after the inclination: longitude of the ascending node (angle, default 0)
---@field position? mote.vector where its centre is (length, default {0, 0, 0})
---@field velocity? mote.vector how its centre moves (velocity, default {0, 0, 0})
---@field centre? boolean whether the centre of mass is brought to rest at the origin before the bodies are placed; a random sample's is off by chance (default true)
---@field stream? integer number of the random sequence; when left out each generator of a scene has its own (0 .. 4294967295)
---@field species? string which of the scene's species it is (default "")
---@field radius? mote.number for grains: that of each body (length, > 0)

---a disc galaxy near equilibrium: exponential disk, bulge and halo
---@param options mote.galaxy
---@return mote.made
function galaxy(options) end

---a spherical shell, thin or between two radii, at rest or with given velocities
---@class (exact) mote.shell
---@field n integer number of bodies, all of the same mass (1 .. 1e+09)
---@field mass? mote.number mass of all bodies together (mass, >= 0, default 1)
---@field radius? mote.number outer radius of the shell (length, > 0, default 1)
---@field inner_radius? mote.number where a thick shell of uniform density begins; the shell is thin when this is left out (length, >= 0)
---@field dispersion? mote.number of the random (Maxwellian) velocities, one component; 0 is at rest (velocity, >= 0, default 0)
---@field spin? mote.number of a rigid turn about the z axis, in radians / time, counter-clockwise seen from +z (angular velocity, default 0)
---@field inclination? mote.number turn about the x axis, before everything else (angle, default 0)
---@field node? mote.number turn about the z axis, after the inclination: longitude of the ascending node (angle, default 0)
---@field position? mote.vector where its centre is (length, default {0, 0, 0})
---@field velocity? mote.vector how its centre moves (velocity, default {0, 0, 0})
---@field centre? boolean whether the centre of mass is brought to rest at the origin before the bodies are placed; a random sample's is off by chance (default true)
---@field stream? integer number of the random sequence; when left out each generator of a scene has its own (0 .. 4294967295)
---@field species? string which of the scene's species it is (default "")

---a spherical shell, thin or between two radii, at rest or with given velocities
---@param options mote.shell
---@return mote.made
function shell(options) end

---a flat ring in the x-y plane, at rest or in circular motion round a central mass
---@class (exact) mote.ring
---@field n integer number of bodies, all of the same mass (1 .. 1e+09)
---@field mass? mote.number mass of all bodies together (mass, >= 0, default 1)
---@field radius? mote.number radius of the ring, in the middle of its width (length, > 0, default 1)
---@field width? mote.number evenly covered, from edge to edge (length, >= 0, default 0)
---@field central_mass? mote.number mass at the centre that the bodies go round on circles; it is yours to add, as a body (mass, >= 0, default 0)
---@field dispersion? mote.number of the random (Maxwellian) velocities, one component; 0 is at rest (velocity, >= 0, default 0)
---@field spin? mote.number of a rigid turn about the z axis, in radians / time, counter-clockwise seen from +z (angular velocity, default 0)
---@field inclination? mote.number turn about the x axis, before everything else (angle, default 0)
---@field node? mote.number turn about the z axis, after the inclination: longitude of the ascending node (angle, default 0)
---@field position? mote.vector where its centre is (length, default {0, 0, 0})
---@field velocity? mote.vector how its centre moves (velocity, default {0, 0, 0})
---@field centre? boolean whether the centre of mass is brought to rest at the origin before the bodies are placed; a random sample's is off by chance (default true)
---@field stream? integer number of the random sequence; when left out each generator of a scene has its own (0 .. 4294967295)
---@field species? string which of the scene's species it is (default "")

---a flat ring in the x-y plane, at rest or in circular motion round a central mass
---@param options mote.ring
---@return mote.made
function ring(options) end

---a solid torus of uniform density about the z axis, at rest or with given velocities
---@class (exact) mote.torus
---@field n integer number of bodies, all of the same mass (1 .. 1e+09)
---@field mass? mote.number mass of all bodies together (mass, >= 0, default 1)
---@field radius? mote.number from the axis to the middle of the tube (length, > 0, default 1)
---@field tube_radius? mote.number radius of the tube, at most that of the torus (length, > 0, default 0.25)
---@field dispersion? mote.number of the random (Maxwellian) velocities, one component; 0 is at rest (velocity, >= 0, default 0)
---@field spin? mote.number of a rigid turn about the z axis, in radians / time, counter-clockwise seen from +z (angular velocity, default 0)
---@field inclination? mote.number turn about the x axis, before everything else (angle, default 0)
---@field node? mote.number turn about the z axis, after the inclination: longitude of the ascending node (angle, default 0)
---@field position? mote.vector where its centre is (length, default {0, 0, 0})
---@field velocity? mote.vector how its centre moves (velocity, default {0, 0, 0})
---@field centre? boolean whether the centre of mass is brought to rest at the origin before the bodies are placed; a random sample's is off by chance (default true)
---@field stream? integer number of the random sequence; when left out each generator of a scene has its own (0 .. 4294967295)
---@field species? string which of the scene's species it is (default "")

---a solid torus of uniform density about the z axis, at rest or with given velocities
---@param options mote.torus
---@return mote.made
function torus(options) end

---a cube or a box of uniform density about the origin, at rest or with given velocities
---@class (exact) mote.cube
---@field n integer number of bodies, all of the same mass (1 .. 1e+09)
---@field mass? mote.number mass of all bodies together (mass, >= 0, default 1)
---@field size? mote.vector sides along x, y and z; 0 is flat (length, >= 0, default {1, 1, 1})
---@field dispersion? mote.number of the random (Maxwellian) velocities, one component; 0 is at rest (velocity, >= 0, default 0)
---@field spin? mote.number of a rigid turn about the z axis, in radians / time, counter-clockwise seen from +z (angular velocity, default 0)
---@field inclination? mote.number turn about the x axis, before everything else (angle, default 0)
---@field node? mote.number turn about the z axis, after the inclination: longitude of the ascending node (angle, default 0)
---@field position? mote.vector where its centre is (length, default {0, 0, 0})
---@field velocity? mote.vector how its centre moves (velocity, default {0, 0, 0})
---@field centre? boolean whether the centre of mass is brought to rest at the origin before the bodies are placed; a random sample's is off by chance (default true)
---@field stream? integer number of the random sequence; when left out each generator of a scene has its own (0 .. 4294967295)
---@field species? string which of the scene's species it is (default "")
---@field radius? mote.number for grains: that of each body (length, > 0)

---a cube or a box of uniform density about the origin, at rest or with given velocities
---@param options mote.cube
---@return mote.made
function cube(options) end

---a crystal about the origin, at rest or with given velocities
---@class (exact) mote.lattice
---@field counts mote.vector cells along x, y and z, whole numbers (1 .. 1e+09)
---@field mass? mote.number mass of all bodies together (mass, >= 0, default 1)
---@field spacing? mote.number side of a cell (length, > 0, default 1)
---@field structure? "cubic"|"bcc"|"fcc" one body a cell, two (body-centred) or four (face-centred) (default "cubic")
---@field dispersion? mote.number of the random (Maxwellian) velocities, one component; 0 is at rest (velocity, >= 0, default 0)
---@field spin? mote.number of a rigid turn about the z axis, in radians / time, counter-clockwise seen from +z (angular velocity, default 0)
---@field inclination? mote.number turn about the x axis, before everything else (angle, default 0)
---@field node? mote.number turn about the z axis, after the inclination: longitude of the ascending node (angle, default 0)
---@field position? mote.vector where its centre is (length, default {0, 0, 0})
---@field velocity? mote.vector how its centre moves (velocity, default {0, 0, 0})
---@field centre? boolean whether the centre of mass is brought to rest at the origin before the bodies are placed; a random sample's is off by chance (default true)
---@field stream? integer number of the random sequence; when left out each generator of a scene has its own (0 .. 4294967295)
---@field species? string which of the scene's species it is (default "")
---@field radius? mote.number for grains: that of each body (length, > 0)

---a crystal about the origin, at rest or with given velocities
---@param options mote.lattice
---@return mote.made
function lattice(options) end

---bodies bonded one after another: straight, a ring, or a random walk
---@class (exact) mote.chain
---@field n integer number of bodies, all of the same mass (1 .. 1e+09)
---@field mass? mote.number mass of all bodies together (mass, >= 0, default 1)
---@field spacing? mote.number from each body to the next (length, > 0, default 1)
---@field shape? "straight"|"ring"|"walk" straight; ring: closed, in the x-y plane; walk: each step in any direction (default "straight")
---@field direction? mote.vector of a straight chain, from its first body to its last (default {1, 0, 0})
---@field bond? string kind of the bonds between bodies that follow each other
---@field angle? string kind of the angles between bonds that follow each other
---@field dispersion? mote.number of the random (Maxwellian) velocities, one component; 0 is at rest (velocity, >= 0, default 0)
---@field spin? mote.number of a rigid turn about the z axis, in radians / time, counter-clockwise seen from +z (angular velocity, default 0)
---@field inclination? mote.number turn about the x axis, before everything else (angle, default 0)
---@field node? mote.number turn about the z axis, after the inclination: longitude of the ascending node (angle, default 0)
---@field position? mote.vector where its centre is (length, default {0, 0, 0})
---@field velocity? mote.vector how its centre moves (velocity, default {0, 0, 0})
---@field centre? boolean whether the centre of mass is brought to rest at the origin before the bodies are placed; a random sample's is off by chance (default true)
---@field stream? integer number of the random sequence; when left out each generator of a scene has its own (0 .. 4294967295)
---@field species? string which of the scene's species it is (default "")
---@field radius? mote.number for grains: that of each body (length, > 0)

---bodies bonded one after another: straight, a ring, or a random walk
---@param options mote.chain
---@return mote.made
function chain(options) end

---one body on a Kepler orbit about a primary that is at `position`
---@class (exact) mote.orbit
---@field name? string shown in the window and in files (default "")
---@field mass? mote.number of the body (mass, >= 0, default 0)
---@field central_mass? mote.number mass of the primary that the body goes about, greater than 0; the primary is yours to add, as a body. A moon in the list `moons` of another orbit has that body's mass here (mass, >= 0, default 0)
---@field semi_major_axis? mote.number negative for a hyperbola (length)
---@field periapsis? mote.number least distance from the primary, instead of semi_major_axis (length, > 0)
---@field eccentricity? number 0 is a circle, below 1 an ellipse, 1 a parabola, above a hyperbola (>= 0, default 0)
---@field argument_of_periapsis? mote.number from the ascending node (the x axis without inclination and node) to the periapsis (angle, default 0)
---@field mean_anomaly? mote.number time since the periapsis, 360 degrees a period; 0 when no anomaly is given (angle)
---@field true_anomaly? mote.number angle from the periapsis, instead of mean_anomaly (angle)
---@field inclination? mote.number turn about the x axis, before everything else (angle, default 0)
---@field node? mote.number turn about the z axis, after the inclination: longitude of the ascending node (angle, default 0)
---@field position? mote.vector where its centre is (length, default {0, 0, 0})
---@field velocity? mote.vector how its centre moves (velocity, default {0, 0, 0})
---@field species? string which of the scene's species it is (default "")
---@field radius? mote.number for grains: that of each body (length, > 0)
---@field moons? mote.made[] orbits about this body

---one body on a Kepler orbit about a primary that is at `position`
---@param options mote.orbit
---@return mote.made
function orbit(options) end

---a chain of bodies along the x axis about the origin, for scenes with a table soft
---@class (exact) mote.rope
---@field n? integer number of bodies (2 .. 1e+09, default 20)
---@field mass? mote.number mass of all bodies together (mass, >= 0, default 1)
---@field length? mote.number along it (length, > 0, default 1)
---@field span? mote.number between its ends, less than the length: it then begins as an arc that hangs towards -z (length, > 0)
---@field compliance? mote.number stretch of each link over its tension; 0 does not give (compliance, >= 0, default 0)
---@field pinned? "start"|"end"|("start"|"end")[] what keeps its velocity: start (at -x), end
---@field inclination? mote.number turn about the x axis, before everything else (angle, default 0)
---@field node? mote.number turn about the z axis, after the inclination: longitude of the ascending node (angle, default 0)
---@field position? mote.vector where its centre is (length, default {0, 0, 0})
---@field velocity? mote.vector how its centre moves (velocity, default {0, 0, 0})
---@field species? string which of the scene's species it is (default "")
---@field radius? mote.number for grains: that of each body (length, > 0)

---a chain of bodies along the x axis about the origin, for scenes with a table soft
---@param options mote.rope
---@return mote.made
function rope(options) end

---a sheet in the x-y plane about the origin, for scenes with a table soft; inclination = 90 stands it up
---@class (exact) mote.cloth
---@field mass? mote.number mass of all bodies together (mass, >= 0, default 1)
---@field stretch_compliance? mote.number stretch of each link over its tension, 1.5 / (modulus x thickness) of a material at any number of bodies; 0 does not give (compliance, >= 0, default 0)
---@field bend_compliance? mote.number angle of each edge between two triangles over its torque; 0: bends freely (inverse energy, >= 0, default 0)
---@field counts? integer|(integer)[] bodies along x and y; { 20, 20 } when left out (2 .. 1e+09)
---@field size? mote.number|(mote.number)[] along x and y; { 1, 1 } when left out (length, > 0)
---@field pinned? "left"|"right"|"bottom"|"top"|"corners"|"top_corners"|("left"|"right"|"bottom"|"top"|"corners"|"top_corners")[] what keeps its velocity: edges left (at -x), right, bottom (at -y), top; all four corners, or the two at the top
---@field inclination? mote.number turn about the x axis, before everything else (angle, default 0)
---@field node? mote.number turn about the z axis, after the inclination: longitude of the ascending node (angle, default 0)
---@field position? mote.vector where its centre is (length, default {0, 0, 0})
---@field velocity? mote.vector how its centre moves (velocity, default {0, 0, 0})
---@field species? string which of the scene's species it is (default "")
---@field radius? mote.number for grains: that of each body (length, > 0)

---a sheet in the x-y plane about the origin, for scenes with a table soft; inclination = 90 stands it up
---@param options mote.cloth
---@return mote.made
function cloth(options) end

---a soft block about the origin, for scenes with a table soft
---@class (exact) mote.soft_box
---@field counts? mote.vector bodies along x, y and z, whole numbers (2 .. 1e+09, default {6, 6, 6})
---@field size? mote.vector lengths of its sides (length, > 0, default {1, 1, 1})
---@field mass? mote.number mass of all bodies together (mass, >= 0, default 1)
---@field compliance? mote.number stretch of each edge of its tetrahedra over the tension; 0 does not give (compliance, >= 0, default 0)
---@field compressibility? mote.number inverse bulk modulus of each tetrahedron: relative change of its volume over the pressure; 0 keeps it (compressibility, >= 0, default 0)
---@field inclination? mote.number turn about the x axis, before everything else (angle, default 0)
---@field node? mote.number turn about the z axis, after the inclination: longitude of the ascending node (angle, default 0)
---@field position? mote.vector where its centre is (length, default {0, 0, 0})
---@field velocity? mote.vector how its centre moves (velocity, default {0, 0, 0})
---@field species? string which of the scene's species it is (default "")
---@field radius? mote.number for grains: that of each body (length, > 0)

---a soft block about the origin, for scenes with a table soft
---@param options mote.soft_box
---@return mote.made
function soft_box(options) end

---a soft ball about the origin, for scenes with a table soft
---@class (exact) mote.soft_ball
---@field across? integer bodies along a diameter (3 .. 1000, default 7)
---@field radius? mote.number of the ball (length, > 0, default 1)
---@field mass? mote.number mass of all bodies together (mass, >= 0, default 1)
---@field compliance? mote.number stretch of each edge of its tetrahedra over the tension; 0 does not give (compliance, >= 0, default 0)
---@field compressibility? mote.number inverse bulk modulus of each tetrahedron: relative change of its volume over the pressure; 0 keeps it (compressibility, >= 0, default 0)
---@field inclination? mote.number turn about the x axis, before everything else (angle, default 0)
---@field node? mote.number turn about the z axis, after the inclination: longitude of the ascending node (angle, default 0)
---@field position? mote.vector where its centre is (length, default {0, 0, 0})
---@field velocity? mote.vector how its centre moves (velocity, default {0, 0, 0})
---@field species? string which of the scene's species it is (default "")

---a soft ball about the origin, for scenes with a table soft
---@param options mote.soft_ball
---@return mote.made
function soft_ball(options) end

---bodies from a file of comma-separated values. The first line names the columns: mass, x, y, z, optionally vx, vy, vz and name; a unit may follow, as in x_au, and must be that of the scene.
---@class (exact) mote.csv
---@field file string path from the folder of the scene
---@field species? string which of the scene's species it is (default "")
---@field radius? mote.number for grains: that of each body (length, > 0)

---bodies from a file of comma-separated values. The first line names the columns: mass, x, y, z, optionally vx, vy, vz and name; a unit may follow, as in x_au, and must be that of the scene.
---@param options mote.csv
---@return mote.made
function csv(options) end

---bodies from an HDF5 snapshot with the names of Gadget, such as mote's own: Coordinates, Velocities and Masses (or Header/MassTable) of PartType0 to PartType5, in this order. Units that the file names must be those of the scene.
---@class (exact) mote.gadget
---@field file string path from the folder of the scene
---@field species? string which of the scene's species it is (default "")
---@field radius? mote.number for grains: that of each body (length, > 0)

---bodies from an HDF5 snapshot with the names of Gadget, such as mote's own: Coordinates, Velocities and Masses (or Header/MassTable) of PartType0 to PartType5, in this order. Units that the file names must be those of the scene.
---@param options mote.gadget
---@return mote.made
function gadget(options) end

---bodies from a binary TIPSY file, standard (big-endian) or native: mass, position and velocity of gas, dark matter and stars, in this order. Its numbers are in the units of the scene.
---@class (exact) mote.tipsy
---@field file string path from the folder of the scene
---@field species? string which of the scene's species it is (default "")
---@field radius? mote.number for grains: that of each body (length, > 0)

---bodies from a binary TIPSY file, standard (big-endian) or native: mass, position and velocity of gas, dark matter and stars, in this order. Its numbers are in the units of the scene.
---@param options mote.tipsy
---@return mote.made
function tipsy(options) end

---bodies from a text file: XYZ with rows name x y z [vx vy vz], extended XYZ with Properties (as mote, ASE and OVITO write it: species, pos, velo or vel, mass), or a reference configuration of NIST. Names of rows that are species of the scene make bodies of them. Its numbers are in the units of the scene, and positions are taken as they are: see domain for the box.
---@class (exact) mote.xyz
---@field file string path from the folder of the scene
---@field mass? mote.number of bodies of which the file says none (mass, >= 0, default 1)
---@field species? string which of the scene's species it is (default "")
---@field radius? mote.number for grains: that of each body (length, > 0)

---bodies from a text file: XYZ with rows name x y z [vx vy vz], extended XYZ with Properties (as mote, ASE and OVITO write it: species, pos, velo or vel, mass), or a reference configuration of NIST. Names of rows that are species of the scene make bodies of them. Its numbers are in the units of the scene, and positions are taken as they are: see domain for the box.
---@param options mote.xyz
---@return mote.made
function xyz(options) end

---factors of a group, the first thing that is done to it. In Lua: scale(bodies, { length = 2 }).
---@class (exact) mote.scale
---@field length? number factor of the positions (> 0, default 1)
---@field velocity? number factor of the velocities; -1 turns time round (default 1)
---@field mass? number factor of the masses (>= 0, default 1)

---factors of a group, the first thing that is done to it. In Lua: scale(bodies, { length = 2 }).
---@param options mote.scale
---@return mote.made
function scale(options) end

---a rigid rotation that is added to a group: rate x position to each velocity, about an axis through the origin. In Lua: spin(bodies, { axis = { 0, 0, 1 }, rate = 0.1 }).
---@class (exact) mote.spin
---@field axis? mote.vector axis of the rotation, through the origin (default {0, 0, 1})
---@field rate? mote.number in radians / time, right-handed about the axis (angular velocity, default 0)

---a rigid rotation that is added to a group: rate x position to each velocity, about an axis through the origin. In Lua: spin(bodies, { axis = { 0, 0, 1 }, rate = 0.1 }).
---@param options mote.spin
---@return mote.made
function spin(options) end

---Kinds of bodies, a table for each name: species = { star = { color = "#ffcc88" } }. Bodies, generators and files of bodies say which they are by species = "star".
---@class (exact) mote.species
---@field color? string red, green and blue in hexadecimal digits, #rrggbb (default "#ffffff")
---@field epsilon? mote.number depth of the well among its like, instead of that of lennard_jones (energy, >= 0)
---@field sigma? mote.number size among its like, instead of that of lennard_jones (length, > 0)
---@field matter? "fluid"|"grains"|"lennard_jones"|"soft" what its bodies are, where the scene has several kinds of matter
---@field wall? boolean for fluid: its bodies are walls, which move with their velocity whatever pushes them (default false)
---@field charge? number for coulomb, in charges of a proton (default 0)

---When a run without a window ends: at whichever comes first. --until and --steps replace it.
---@class (exact) mote.stop
---@field time? mote.number simulation time of the end (time, >= 0)
---@field steps? integer number of steps to the end (0 .. 1e+15)

---How often measurements become a row of series.csv.
---@class (exact) mote.series
---@field steps? integer steps between rows; when left out 1 for up to 1,024 bodies, 20 for more (1 .. 1e+15)
---@field displacement? boolean whether rows have the mean square displacement: of the ways of all bodies since they came, around periodic axes as often as they went (default false)

---When and how the state is written to snapshots/; every run ends with one, whatever stands here.
---@class (exact) mote.snapshots
---@field steps? integer steps between snapshots (1 .. 1e+15)
---@field time? mote.number simulation time between snapshots (time, > 0)
---@field compress? boolean whether HDF5 files are compressed: smaller, and slower to write (default false)
---@field contacts? boolean whether snapshots hold who touches whom, with forces, in scenes with grains: in HDF5 and NPZ files themselves, for VTK and CSV in files beside them (default false)
---@field times? mote.number|(mote.number)[] simulation times of snapshots, besides the others (time, >= 0)
---@field format? "hdf5"|"vtk"|"xyz"|"csv"|"npz"|"tipsy"|("hdf5"|"vtk"|"xyz"|"csv"|"npz"|"tipsy")[] formats of each snapshot; commands of mote read hdf5 (default "hdf5")
---@field columns? "id"|"position"|"velocity"|"mass"|"species"|("id"|"position"|"velocity"|"mass"|"species")[] what files hold of each body; when left out all. Ids and positions always stand there

---When a run without a window writes what it goes on from to checkpoints/, besides the one of an interruption. --checkpoint-steps and so on replace single keys.
---@class (exact) mote.checkpoints
---@field steps? integer steps between checkpoints (1 .. 1e+15)
---@field time? mote.number simulation time between checkpoints (time, > 0)
---@field wall? number seconds between checkpoints, by the clock; when nothing is said 600, 0: none (>= 0)
---@field keep? integer how many checkpoints stay (1 .. 1e+06, default 3)

---What ends a run as unhealthy, besides numbers that are not finite.
---@class (exact) mote.health
---@field energy_error? number largest relative energy error, of either sign, in scenes that conserve energy; by default 10, relative to the largest energy so far (> 0)
---@field escape_radius? mote.number largest distance of a body from the centre of mass; looked at with every row of the series (length, > 0)

---A function that runs between steps, at every step whose number is a multiple of `every`; or a list of such tables. Only in scenes in Lua.
---@class (exact) mote.on_step
---@field every integer steps from one call to the next (1 .. 1e+15)
---@field run fun(sim: mote.sim)

---A function that runs between steps, at the first step at or past a simulation time; or a list of such tables. Only in scenes in Lua.
---@class (exact) mote.on_time
---@field every? mote.number at every multiple of this time; either this or `at` (time, > 0)
---@field run fun(sim: mote.sim)

---How pictures of the scene look; changes nothing about the simulation.
---@class (exact) mote.view
---@field color? "speed"|"radius"|"acceleration"|"mass"|"id"|"x"|"y"|"z"|"species"|"force" what the colour of a body shows (default "speed")
---@field map? "inferno"|"viridis"|"magma"|"plasma"|"turbo"|"grey" colour map (default "inferno")
---@field exposure? number stops brighter (> 0) or darker (< 0) than chosen automatically (-20 .. 20, default 0)
---@field point_size? number diameter of a body in pixels at 720 lines; 0: chosen from their number (0 .. 256, default 0)
---@field bodies? "stars"|"spheres"|"fluid" stars that add up as light, spheres that hide each other, or the surface of a fluid (default "stars")
---@field radius? mote.number of spheres; 0: that of grains, half of sigma or of a fluid's spacing, else as point_size says (length, >= 0, default 0)
---@field contacts? boolean lines between grains that touch each other and obstacles, in front of all: the wider and brighter, the harder they press. The host finds them, and a GPU's state is copied there for each picture (default false)
---@field trails? "auto"|"on"|"off" ways of the bodies, in the window; auto: where they are few (default "auto")
---@field orbits? boolean ellipses of few bodies, in the window (default false)
---@field axes? boolean axes through the origin, in the window (default false)
---@field box? boolean box around all bodies, in the window (default false)
---@field glow? boolean glow of bright stars, in the window (default true)
---@field camera? mote.view.camera

---Where the scene is looked at from.
---@class (exact) mote.view.camera
---@field distance? mote.number from the target; chosen so that the bodies fit the picture when left out (length, > 0)
---@field azimuth? mote.number direction it looks from, counted about the z axis; 0 is +x, 90 is +y (angle, default 30)
---@field elevation? mote.number height it looks from: 0 in the x-y plane, 90 straight from +z (angle, -90 .. 90, default 40)
---@field target? mote.vector point in the middle of the picture; the middle of the bodies when left out (length)
